// What every call may be given, and every write.
import { ValidationError } from './errors/errors.ts';

export interface CallOptions {
  /** Ends the call, with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, in place of the client's. */
  readonly timeoutMs?: number | undefined;
}

/** A point in time: ISO 8601 with an offset, microseconds and all, as the platform answers it; or a Date, which has milliseconds. */
export type Timestamp = string | Date;

/** As the server reads it. @throws ValidationError for a Date that is none */
export function instantOf(time: Timestamp | undefined): string | undefined {
  if (!(time instanceof Date)) return time;
  if (Number.isNaN(time.getTime()))
    throw new ValidationError('a time is a Date that is none', { code: 'LOCAL_VALIDATION' });
  return time.toISOString();
}

/** Recorded with the event, verbatim. The keys named here are conventions; any may be used (spec 2 «Provenance context keys»). */
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
  /** An object, or JSON text that is stored to the letter. */
  readonly provenanceContext?: ProvenanceContext | string | undefined;
  /**
   * Accepted, as spec 2 names it, and without effect: events are recorded under the actor of the credential, whom nothing
   * in a request can replace. Who acts for somebody else says so in `provenanceContext`.
   */
  readonly actor?: string | undefined;
}

export interface ValidatedWriteOptions extends WriteOptions {
  /**
   * Leaves out the client's validators and, where the caller is an administrator or a service, the server's rules too; others are refused.
   * @deprecated for repairs only; the provenance context says that it was used
   */
  readonly bypassValidation?: boolean | undefined;
}
