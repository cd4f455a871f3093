// Why a trigger fired or did not: the record of each evaluation.
export type ObservedKind = 'tick' | 'delivery' | 'entity' | 'event' | 'request';

export type Verdict =
  | 'fired'
  /** Its condition was false. */
  | 'condition_false'
  /** Its condition could not be evaluated, which counts as false. */
  | 'condition_error'
  /** The previous run was still in progress. */
  | 'busy'
  /** The tick was missed, and is not caught up with. */
  | 'missed'
  /** The trigger was paused. */
  | 'paused'
  /** The same delivery has fired already. */
  | 'duplicate'
  /** The signature was missing or wrong. */
  | 'refused'
  /** It was signed, but not valid JSON. */
  | 'malformed';

export interface NewObservation {
  readonly triggerName: string;
  readonly kind: ObservedKind;
  readonly verdict: Verdict;
  /** What was evaluated: `{tick}`, `{entity}`, `{event, run_id}`, `{digest, request_id}`, `{actor}`. */
  readonly subject: Readonly<Record<string, unknown>>;
  readonly reason?: string | undefined;
  /** The values in its condition, by path. */
  readonly seen?: Readonly<Record<string, unknown>>;
  readonly runId?: string | null;
  readonly project?: string | null;
  readonly deliveryId?: string;
  /** Equal ones are counted in one row: for deliveries that anybody may send. */
  readonly bucket?: string;
}
