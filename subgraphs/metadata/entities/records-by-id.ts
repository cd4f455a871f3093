// Many entities as records, by their ids.
import type { Identity } from '../../../platform/identity.ts';
import type { Moment } from '../reading/timeline.ts';
import type { EntityService } from './entities.service.ts';
import { EntityRecord } from '../reading/entity-record.ts';

/** The records that the caller may see. */
export async function recordsById(
  entities: EntityService,
  ids: readonly string[],
  caller: Identity,
  at: Moment,
): Promise<ReadonlyMap<string, EntityRecord>> {
  const found = new Map<string, EntityRecord>();
  for (const row of await entities.getMany(ids, caller, at))
    if (row) found.set(row.id, new EntityRecord(row, at));
  return found;
}
