// The outcome of a run's action, as it is stored.
import { DomainError, masked } from '../../../platform/errors.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { isStoreAway } from '../../../platform/store-away.ts';
import { messageOf } from '../adapters/adapter.ts';
import { RunLog } from '../run-records/run-log.ts';
import type { Unresolved } from '../run-records/run.ts';
import type { Counts, FinalStatus } from '../run-records/run-queue.store.ts';

export interface Outcome {
  /** It was interrupted, and did not fail by itself. */
  readonly interrupted?: boolean;
  readonly status: FinalStatus;
  readonly entityType: string | null;
  readonly counts: Counts;
  readonly errors: readonly JsonValue[];
  readonly unresolved: readonly Unresolved[];
}

/** Maximum errors that a run lists; the counts include all. */
const MAX_LISTED = 1000;

interface Noted {
  readonly type: string;
  readonly message: string;
  readonly record?: number;
}

const MORE: Noted = { type: 'MoreErrors', message: `only the first ${MAX_LISTED} errors are listed` };

export const RIGHTS_LOST = 'RightsLost';

/**
 * The error of a run that was stopped for a reason outside of it: the metadata, the store, whose address must
 * not be shown, or its submitter's rights.
 */
export const unavailability = (error: unknown): { readonly type: string; readonly message: string } => ({
  type:
    error instanceof DomainError && (error.code === 'revoked_token' || error.code === 'insufficient_role')
      ? RIGHTS_LOST
      : 'MetadataUnavailable',
  message: isStoreAway(error) ? masked(error).message : messageOf(error),
});

/** A run's current tally. `fetched` always equals created + updated + skipped + failed + pending. */
export class Tally {
  fetched = 0;
  created = 0;
  updated = 0;
  skipped = 0;
  failed = 0;
  readonly errors: JsonValue[] = [];
  readonly log: RunLog;

  constructor(log = new RunLog()) {
    this.log = log;
  }

  /** A failed record; `record` counts from 1 in the order of the source. */
  fail(record: number, type: string, message: string): void {
    this.failed++;
    this.note({ type, record, message });
  }

  note(error: Noted): void {
    if (this.errors.length > MAX_LISTED) return;
    const { record, type, message } = this.errors.length === MAX_LISTED ? MORE : error;
    const kept = { type, ...(record === undefined ? {} : { record }), message: this.log.storable(message) };
    this.errors.push(kept);
    if (record === undefined) this.log.note('error', `${type}: ${message}`);
    else this.log.note('warn', `record ${record} is refused: ${type}: ${message}`);
  }

  /** Pending records of a run that ends early count as failed, so that the counts stay exact. */
  failRest(): void {
    this.failed = this.fetched - this.created - this.updated - this.skipped;
  }

  counts(): Counts {
    const { fetched, created, updated, skipped, failed } = this;
    return { fetched, created, updated, skipped, failed };
  }
}
