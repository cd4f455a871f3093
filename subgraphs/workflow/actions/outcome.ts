// What became of a run's action, as it is stored.
import { DomainError, masked } from '../../../platform/errors.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { isStoreAway } from '../../../platform/store-away.ts';
import { messageOf } from '../adapters/adapter.ts';
import type { Unresolved } from '../runs/run.ts';
import type { Counts, FinalStatus } from '../runs/run-queue.store.ts';

export interface Outcome {
  /** It was broken off by what happens around it, not by what it does. */
  readonly interrupted?: boolean;
  readonly status: FinalStatus;
  readonly entityType: string | null;
  readonly counts: Counts;
  readonly errors: readonly JsonValue[];
  readonly unresolved: readonly Unresolved[];
}

/** Most errors that a run lists; how many there were is in the counts. */
const MAX_LISTED = 1000;

/** Text that can be stored: no U+0000, no half of a character. */
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD').toWellFormed().slice(0, 2000);

export const RIGHTS_LOST = 'RightsLost';

/**
 * What stopped a run that is nobody's fault here: the metadata, the store, whose address is nobody's
 * business, or the rights of who submitted it.
 */
export const unavailability = (error: unknown): { readonly type: string; readonly message: string } => ({
  type:
    error instanceof DomainError && (error.code === 'revoked_token' || error.code === 'insufficient_role')
      ? RIGHTS_LOST
      : 'MetadataUnavailable',
  message: isStoreAway(error) ? masked(error).message : messageOf(error),
});

/**
 * A run's tally while it goes on. `fetched` is always created + updated + skipped + failed + those under way.
 */
export class Tally {
  fetched = 0;
  created = 0;
  updated = 0;
  skipped = 0;
  failed = 0;
  readonly errors: JsonValue[] = [];

  /** A record that failed; `record` counts from 1 in the order of the source. */
  fail(record: number, type: string, message: string): void {
    this.failed++;
    this.note({ type, record, message: storable(message) });
  }

  note(error: { readonly type: string; readonly message: string; readonly record?: number }): void {
    if (this.errors.length < MAX_LISTED) this.errors.push({ ...error, message: storable(error.message) });
    else if (this.errors.length === MAX_LISTED)
      this.errors.push({ type: 'MoreErrors', message: `only the first ${MAX_LISTED} errors are listed` });
  }

  /** Records under way when a run ends before its time count as failed: the counts stay exact. */
  failRest(): void {
    this.failed = this.fetched - this.created - this.updated - this.skipped;
  }

  counts(): Counts {
    const { fetched, created, updated, skipped, failed } = this;
    return { fetched, created, updated, skipped, failed };
  }
}
