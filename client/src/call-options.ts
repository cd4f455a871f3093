// Defines the options of every call and of every write.
import { ValidationError } from './errors/errors.ts';

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt in milliseconds; overrides the client's. */
  readonly timeoutMs?: number | undefined;
}

/**
 * A point in time: ISO 8601 with an offset and up to microseconds, as the platform returns it; or a Date,
 * which has milliseconds.
 */
export type Timestamp = string | Date;

/** Converts a time to the server's format. @throws ValidationError for an invalid Date */
export function instantOf(time: Timestamp | undefined): string | undefined {
  if (!(time instanceof Date)) return time;
  if (Number.isNaN(time.getTime()))
    throw new ValidationError('the time is an invalid Date', { code: 'LOCAL_VALIDATION' });
  return time.toISOString();
}

/**
 * Recorded unchanged with the event. The keys named here are conventions; other keys are allowed
 * (docs/reference/metadata.md#context-keys).
 */
export interface ProvenanceContext {
  readonly workflow_run_id?: string;
  readonly workflow_name?: string;
  readonly sync_run_id?: string;
  readonly adapter?: string;
  readonly trigger?: string;
  readonly notes?: string;
  readonly [key: string]: unknown;
}

export interface WriteOptions extends CallOptions {
  /** An object, or JSON text that is stored unchanged. */
  readonly provenanceContext?: ProvenanceContext | string | undefined;
  /**
   * Accepted (docs/reference/metadata.md#the-acting-caller) but has no effect: events are recorded under the
   * actor of the credential, which a request cannot override. Use `provenanceContext` to record that a write
   * is made on behalf of someone else.
   */
  readonly actor?: string | undefined;
}

export interface ValidatedWriteOptions extends WriteOptions {
  /**
   * Skips the client's validators. For administrators and services, it also skips the server's rules; the
   * server rejects it from other callers.
   * @deprecated for repairs only; its use is recorded in the provenance context
   */
  readonly bypassValidation?: boolean | undefined;
}
