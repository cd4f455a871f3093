// The type of a noun of the workflow subgraph, and what its services are created from.
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/identity.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { SubgraphModule } from '../../platform/subgraph-module.ts';
import type { PollCursors } from './cursors/poll-cursors.ts';
import type { Execute } from './deps.ts';
import type { Resolvers } from './generated/resolvers.ts';
import type { ConfiguredTrigger } from './trigger-model/trigger-definition.ts';

export interface WorkflowDeps {
  readonly database: Pick<Database, 'pool' | 'listen'>;
  readonly log: Logger;
  /** `workflow.triggers` of the configuration, validated. */
  readonly triggers: readonly ConfiguredTrigger[];
  /** `workflow.adapters` of the configuration: their names. */
  readonly adapters?: readonly { readonly name: string }[];
  /** Hash of the configuration: what is queued here is worked by processes with the same. */
  readonly configuration?: string;
  /** The metadata's poll cursors; without them polling triggers show none. */
  readonly cursors?: PollCursors;
  /** The platform as a caller sees it, for evaluating polls; without it polls cannot be evaluated. */
  readonly executeAs?: (caller: Caller) => Execute;
  /** Whether that is metadata alone: stale results are not there. */
  readonly asksMetadataAlone?: boolean;
}

/** `Slice` is what the noun adds to the context, `Context` what its resolvers require. */
export interface WorkflowNoun<
  Slice extends object,
  Context extends OperationContext = OperationContext & Slice,
> extends SubgraphModule<WorkflowDeps, Slice, Context> {
  readonly resolvers: Resolvers<Context>;
}
