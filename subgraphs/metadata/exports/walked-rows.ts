// A batch of an export, as its cursor yields it.
import type { Identity } from '../../../platform/identity.ts';
import type { EntityRecord, EntityRow } from '../reading/entity-record.ts';
import type { Moment } from '../reading/timeline.ts';

/** Some rows of a snapshot, and how other entities of it are read before the next ones. */
export interface WalkedRows {
  readonly rows: readonly EntityRow[];
  readonly records: (
    ids: readonly string[],
    identity: Identity,
    at: Moment,
  ) => Promise<ReadonlyMap<string, EntityRecord>>;
}
