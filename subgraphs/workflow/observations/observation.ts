// Why a trigger fired or did not, as it is put down each time it looks at something.
export type ObservedKind = 'tick' | 'delivery' | 'entity' | 'event' | 'request';

export type Verdict =
  | 'fired'
  /** Its condition was false. */
  | 'condition_false'
  /** Its condition could not be evaluated, which counts as false. */
  | 'condition_error'
  /** The run before it was still going on. */
  | 'busy'
  /** Nobody was there at its time, and it is not caught up with. */
  | 'missed'
  /** The same delivery has fired already. */
  | 'duplicate'
  /** The signature was missing or wrong. */
  | 'refused'
  /** It was signed, and no JSON. */
  | 'malformed';

export interface NewObservation {
  readonly triggerName: string;
  readonly kind: ObservedKind;
  readonly verdict: Verdict;
  /** What it looked at: `{tick}`, `{entity}`, `{event, run_id}`, `{digest, request_id}`, `{actor}`. */
  readonly subject: Readonly<Record<string, unknown>>;
  readonly reason?: string | undefined;
  /** The values that its condition saw, by the paths it names. */
  readonly seen?: Readonly<Record<string, unknown>>;
  readonly runId?: string | null;
  readonly project?: string | null;
  readonly deliveryId?: string;
  /** Equal ones are counted in one row: for what anybody may send. */
  readonly bucket?: string;
}
