// Plans large documents in a thread of its own: the planner takes as long as it takes, and cannot be
// interrupted.
import type { QueryPlan } from '@apollo/query-planner';
import { type DocumentNode, print } from 'graphql';
import { type Asker, AskedThread, type Failed } from './asked-thread.ts';
import type { Composition } from './compose.ts';

/** What the thread is told and asked. */
export type PlanningMessage =
  | { readonly kind: 'supergraph'; readonly sdl: string }
  | { readonly kind: 'plan'; readonly source: string; readonly operationName: string | undefined };
interface Answer {
  readonly plan: QueryPlan;
}
export type PlanningAnswer = Answer | Failed;

const thread = new AskedThread<Composition, Answer>({
  entry: 'router/execution/planning-thread.ts',
  name: 'planning',
  tell: (post, { supergraphSdl }) => {
    post({ kind: 'supergraph', sdl: supergraphSdl } satisfies PlanningMessage);
  },
  tooMuch: 'planning takes too much time or memory: request less in one operation',
});

/**
 * @param document valid in the composition
 * @throws DomainError `rate_limit_exceeded`, `invalid_request` as {@link AskedThread.ask} says
 */
export const planInWorker = async (
  composition: Composition,
  document: DocumentNode,
  operationName: string | undefined,
  asker: Asker,
): Promise<QueryPlan> =>
  (
    await thread.ask(
      composition,
      { kind: 'plan', source: print(document), operationName } satisfies PlanningMessage,
      asker,
    )
  ).plan;
