// The statements of causal chains, which are put together at run time.
import type pg from 'pg';
import type { Identity } from '../../platform/identity.ts';
import * as causalLinks from '../../subgraphs/metadata/causal-links/causal-links.store.ts';

export async function readCausalLinks(pool: pg.Pool, identity: Identity): Promise<void> {
  const asOf = '2026-01-01T00:00:00.000000Z';
  const [bounds, version] = [
    { limit: 1, asOf },
    { id: 'a', version: 1 },
  ];
  const field = { id: 'a', field: 'f' };
  await causalLinks.listEntities(pool, ['a'], bounds, identity);
  await causalLinks.listCausedVersions(pool, [version], bounds, identity);
  await causalLinks.listNewestVersions(pool, ['a'], bounds, identity);
  await causalLinks.listFields(pool, [field], identity);
  await causalLinks.listSetters(pool, [field], bounds, identity);
  await causalLinks.listEvents(pool, [asOf], bounds, identity);
  await causalLinks.listWrittenBy(pool, ['00000000-0000-4000-8000-000000000000'], bounds, identity);
  await causalLinks.listWrittenFor(pool, ['run:a'], bounds, identity);
}
