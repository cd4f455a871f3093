// The statements of causal chains, which are put together at run time.
import type pg from 'pg';
import type { Identity } from '../../platform/identity.ts';
import * as productionLinks from '../../subgraphs/artifact/causal-links/causal-links.store.ts';
import * as planLinks from '../../subgraphs/artifact/causal-links/plan-links.store.ts';
import * as causalLinks from '../../subgraphs/metadata/causal-links/causal-links.store.ts';

export async function readCausalLinks(pool: pg.Pool, identity: Identity): Promise<void> {
  const asOf = '2026-01-01T00:00:00.000000Z';
  const [bounds, version] = [
    { limit: 1, skip: 0, asOf },
    { id: 'a', version: 1 },
  ];
  const field = { id: 'a', field: 'f' };
  for (const position of [null, '1']) {
    await causalLinks.listEntities(pool, ['a'], position, identity);
    await causalLinks.listFields(pool, [field], position, identity);
  }
  await causalLinks.listCausedVersions(pool, [version], bounds, identity);
  await causalLinks.listNewestVersions(pool, ['a'], bounds, identity);
  await causalLinks.listSetters(pool, [field], bounds, identity);
  await causalLinks.listEvents(pool, [asOf], bounds, identity);
  await causalLinks.listWrittenBy(pool, ['00000000-0000-4000-8000-000000000000'], bounds, identity);
  await causalLinks.listWrittenFor(pool, ['run:a'], bounds, identity);
  for (const isKept of [false, true]) await readProductionLinks(pool, { ...bounds, isKept });
  await readProductionLinks(pool, { ...bounds, asOf: null, isKept: false });
}

async function readProductionLinks(pool: pg.Pool, bounds: productionLinks.Bounds): Promise<void> {
  const seer = { projects: ['p'], actor: 'user:x' };
  await productionLinks.listCausedProductions(pool, ['p'], bounds, seer);
  await productionLinks.listProductionsFor(pool, ['run:a'], bounds, seer);
  await productionLinks.listPlanned(pool, ['sha256:00'], bounds, seer);
  await planLinks.listResolvesOf(pool, ['sha256:00'], bounds, seer);
  await planLinks.listResolvedBy(pool, ['00000000-0000-4000-8000-000000000000'], bounds, seer);
  await productionLinks.listFiles(pool, ['sha256:00'], bounds, seer);
}
