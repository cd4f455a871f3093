// What one operation may ask for and take: the names and defaults of `graphql.limits`
// (docs/reference/api-conventions.md#budget).

export interface OperationLimits {
  /** Objects that a document may ask for, by the sizes of its lists: counted before anything runs. */
  readonly cost: number;
  /** Objects that an answer holds, each counted as often as it is shown. */
  readonly objects: number;
  /** Bytes that are read for an answer, and bytes that it has. */
  readonly bytes: number;
  /** Milliseconds that a query, or one event of a subscription, may take. */
  readonly timeMs: number;
}

export type LimitName = 'cost' | 'objects' | 'bytes' | 'time';

export const DEFAULT_OPERATION_LIMITS: OperationLimits = {
  cost: 1_000_000,
  objects: 50_000,
  bytes: 32 * 1024 * 1024,
  timeMs: 30_000,
};
