// A page under a filter that the database cannot decide alone: candidates are walked in order and checked one by one (contract 2, «CEL»).
import { setImmediate as turn } from 'node:timers/promises';
import { ResidueCheck } from '../filters/check-residue.ts';
import type { CompiledFilter } from '../filters/compile-filter.ts';
import { EntityRecord } from './entity-record.ts';
import type { PageRequest, PageRow } from './page-request.ts';

const BATCH = 1000;

/** The candidates that match, in order, from `after` on. @throws DomainError `validation_failed` once there are too many candidates */
export async function* matching(read: (request: PageRequest) => Promise<readonly PageRow[]>, request: PageRequest, filter: CompiledFilter): AsyncGenerator<PageRow> {
  const check = new ResidueCheck(filter);
  for (let after = request.after; ;) {
    const rows = await read({ ...request, limit: BATCH, offset: 0, after });
    for (const row of rows) {
      const entity = new EntityRecord(row);
      if (check.matches(entity.bound())) yield row;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = JSON.parse(last.order_keys) as string[]; // written by the statement as a list of texts
    await turn(); // other requests have their turn between batches
  }
}
