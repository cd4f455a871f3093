// What every resolver of every subgraph finds in its context.
import type { ComponentExtensions } from './component.ts';
import type { Caller } from './identity.ts';

/** The nouns of a subgraph add their services to it. */
export interface OperationContext {
  readonly caller: Caller;
  /** Filled while the operation runs; travels beside the data. */
  readonly extensions: ComponentExtensions;
}
