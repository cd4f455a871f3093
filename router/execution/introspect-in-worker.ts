// Answers introspection in a thread of its own: what one caller wants to know of the schema holds up nobody.
import { setImmediate as others } from 'node:timers/promises';
import { type GraphQLSchema, printSchema } from 'graphql';
import type { SchemaParts } from '../../platform/component.ts';
import { type Asker, AskedThread, type Failed } from './asked-thread.ts';

/** The messages to the thread. */
export type Asked =
  | { readonly kind: 'schema'; readonly sdl: string; readonly hasParts: boolean }
  | {
      readonly kind: 'parts';
      readonly types: readonly (readonly [string, string])[];
      /** Each with the type that it is added to. */
      readonly fields: readonly (readonly [string, string, string])[];
    }
  | { readonly kind: 'ask'; readonly source: string; readonly variables: Readonly<Record<string, unknown>> };
interface Answer {
  readonly texts: Readonly<Record<string, string>>;
}
/** What it answers: JSON by response key, or what went wrong. */
export type Told = Answer | Failed;

/** A graph at one time: a new object for each change. */
export interface Graph {
  readonly base: GraphQLSchema;
  readonly parts: SchemaParts | undefined;
}

/** Types that are written in one go. */
const AT_ONCE = 50;

async function tell(post: (message: Asked) => void, { base, parts }: Graph): Promise<void> {
  post({ kind: 'schema', sdl: printSchema(base), hasParts: parts !== undefined });
  if (parts === undefined) return;
  const types = [...parts.types()];
  const fields = [...Object.keys(base.getTypeMap()), ...types]
    .filter((name) => parts.holds(name))
    .flatMap((holder) => [...parts.fields(holder)].map((name) => [holder, name] as const));
  for (let i = 0; i < Math.max(types.length, fields.length); i += AT_ONCE) {
    await others();
    post({
      kind: 'parts',
      types: types.slice(i, i + AT_ONCE).map((name) => [name, parts.type(name) ?? ''] as const),
      fields: fields
        .slice(i, i + AT_ONCE)
        .map(([holder, name]) => [holder, name, parts.field(holder, name) ?? ''] as const),
    });
  }
}

const thread = new AskedThread<Graph, Answer>({
  entry: 'router/execution/introspection-thread.ts',
  name: 'introspection',
  tell,
  tooMuch: 'the introspection takes too much time or memory: request less of the schema at once',
});

/**
 * JSON by response key.
 * @param source a document of introspection alone, valid in the graph
 * @throws DomainError `rate_limit_exceeded`, `invalid_request` as {@link AskedThread.ask} says
 */
export const introspectInWorker = async (
  graph: Graph,
  source: string,
  variables: Readonly<Record<string, unknown>>,
  asker: Asker,
): Promise<Readonly<Record<string, string>>> =>
  (await thread.ask(graph, { kind: 'ask', source, variables } satisfies Asked, asker)).texts;
