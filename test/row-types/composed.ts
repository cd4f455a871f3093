// Statements that are put together at run time: each is had by calling its function on a pool that notes what
// it is sent. What a row type means is named where the source has a type parameter.
import type pg from 'pg';
import type { Identity } from '../../platform/identity.ts';
import { showsCommit, standingOf } from '../../platform/database/standing.ts';
import { NEWEST_EVENT } from '../../subgraphs/metadata/reading/log-server.ts';
import { QueueTable } from '../../platform/lease-queue/queue-table.store.ts';
import { readGroups } from '../../subgraphs/metadata/aggregates/aggregates.store.ts';
import { readFacets } from '../../subgraphs/metadata/aggregates/facets.store.ts';
import { compileHaving } from '../../subgraphs/metadata/aggregates/having.ts';
import { referringPages, referringTotals } from '../../subgraphs/metadata/referring/referring.store.ts';
import { readCausalLinks } from './causal-links.ts';
import { readPast } from './past-reads.ts';
import { JOB, workProductions } from './production-queue.ts';
import { readMarks } from './stale-marks.ts';
import { countAt } from '../../subgraphs/metadata/log/counts.store.ts';
import { pageOfLog } from '../../subgraphs/metadata/change-feed/change-feed.store.ts';
import { START } from '../../subgraphs/metadata/change-feed/feed-token.ts';
import { changedEntities } from '../../subgraphs/metadata/differences/differences.store.ts';
import { idsHolding } from '../../subgraphs/metadata/drs/drs.store.ts';
import { EntityStore } from '../../subgraphs/metadata/entities/entities.store.ts';
import { compileOrderApart } from '../../subgraphs/metadata/reading/order.ts';
import { entityJson } from '../../subgraphs/metadata/entities/entity-json.ts';
import type { PageRequest } from '../../subgraphs/metadata/reading/page-request.ts';
import { countCreated } from '../../subgraphs/metadata/growth/growth.store.ts';
import { typesBehind } from '../../subgraphs/metadata/existence/existence.store.ts';
import { targetsOf } from '../../subgraphs/metadata/expand/expand.store.ts';
import { ownerOf, ownersOfAnyType } from '../../subgraphs/metadata/external-ids/external-ids.store.ts';
import { eventsOf } from '../../subgraphs/metadata/prov-json/prov-json.store.ts';
import { flush } from '../../subgraphs/metadata/log/flush.store.ts';
import { load } from '../../subgraphs/metadata/log/load.store.ts';
import { compareReads } from '../../subgraphs/metadata/log/read-ahead.store.ts';
import {
  everSeen,
  eventsOfRequest,
  historyOf,
} from '../../subgraphs/metadata/provenance/provenance.store.ts';
import { WorkingSet } from '../../subgraphs/metadata/log/working-set.ts';
import { referenceFaults } from '../../subgraphs/metadata/reference-checks/references.store.ts';
import {
  findRelationships,
  relationshipsOf,
  step,
} from '../../subgraphs/metadata/relationships/relationships.store.ts';
import { searchEntities } from '../../subgraphs/metadata/search/search.store.ts';
import { textsHolding } from '../../subgraphs/metadata/search/states-holding.ts';
import { wordsCondition } from '../../subgraphs/metadata/search/words-condition.ts';
import {
  cancelRun,
  claimRuns,
  finishRun,
  giveBackRuns,
  lockAbandonedRuns,
  renewRun,
  requeueRun,
} from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { listRecords } from '../../router/edge/audit/audit-records.store.ts';
import { ARTIFACT_TABLES } from '../../subgraphs/artifact/archive/archived-tables.ts';
import { ENTITIES, METADATA_TABLES } from '../../subgraphs/metadata/archive/archived-tables.ts';
import { findContradiction } from '../../subgraphs/metadata/archive/check-restored.store.ts';
import { SEARCH_COLUMN } from '../../subgraphs/metadata/archive/restored-entities.ts';
import { storeRows } from '../../platform/archive/store-rows.store.ts';
import { createTokenStore } from '../../router/tokens/tokens.store.ts';

const TOKENS = {
  family: '00000000-0000-4000-8000-000000000000',
  jti: 'j',
  accessExpires: 1,
  refreshHash: Buffer.of(1),
  refreshSeconds: 1,
  familySeconds: 1,
};

const ALL: Identity = { actor: 'user:a', roles: ['admin'], projects: '*' };
const SCOPED: Identity = { actor: 'user:b', roles: ['viewer'], projects: ['p'] };
const MOMENTS = [null, '7'] as const;
const AUTHOR = { actor: 'user:a', contextText: null };
const CATALOGUE = { revision: 1 };

const pageOf = (identity: Identity, at: string | null): PageRequest => ({
  types: ['sample'],
  conditions: [],
  availableOnly: true,
  identity,
  order: [{ sql: 'e.first_event', type: 'bigint', descending: false }],
  limit: 10,
  offset: 0,
  after: ['1'],
  at,
});

const worded = (identity: Identity, at: string | null): PageRequest => ({
  ...pageOf(identity, at),
  conditions: [wordsCondition('a', () => CATALOGUE as never)],
});

async function readEntities(pool: pg.Pool): Promise<void> {
  await standingOf(pool, NEWEST_EVENT).catch(() => undefined); // what is noted counts
  await showsCommit(pool, NEWEST_EVENT, '1 a');
  const json = entityJson([{ key: 'id', name: 'id', hasArguments: false, selection: [] }]);
  if (json === null) throw new Error('an id is an own column');
  const work: ((store: EntityStore, identity: Identity, at: string | null) => Promise<unknown>)[] = [
    (store, identity) => store.find('a', identity, null),
    (store, identity) => Promise.all(['a', 'b'].map((id) => store.find(id, identity, null))),
    (store, identity, at) => store.findMany(['a'], identity, at),
    (store, identity, at) => store.page(pageOf(identity, at)),
    (store, identity, at) => store.page(worded(identity, at)),
    (store, identity, at) => store.textPage(worded(identity, at), json),
    (store, identity, at) => store.total(worded(identity, at)),
    (store, identity) =>
      store.page({
        ...pageOf(identity, null),
        order: compileOrderApart('data.n', null, () => 'number') ?? [],
        after: null,
      }),
    (store, identity, at) => store.textPage(pageOf(identity, at), json),
    (store, identity, at) => store.textPage({ ...pageOf(identity, at), after: null }, json),
    (store, identity) => store.countUpTo(pageOf(identity, null), 10),
    (store, identity, at) => store.total(pageOf(identity, at)),
    (store, identity, at) =>
      store.total({ ...pageOf(identity, at), conditions: [{ where: () => 'true', uses: new Set() }] }),
    (store, identity, at) =>
      store.estimate({ ...pageOf(identity, at), conditions: [{ where: () => 'true', uses: new Set() }] }),
    (store, identity, at) => store.planOf(pageOf(identity, at)),
    async (store, identity, at) => {
      for await (const _ of store.walk(pageOf(identity, at), new AbortController().signal)) break;
    },
  ];
  for (const one of work)
    for (const identity of [ALL, SCOPED])
      // what is noted counts: without an answer some of them fail
      for (const at of MOMENTS) await one(new EntityStore(pool), identity, at).catch(() => undefined);
}

async function readRest(pool: pg.Pool, identity: Identity, at: string | null): Promise<void> {
  await readCausalLinks(pool, identity);
  const after = { score: '1', position: '1' };
  const scope = { types: ['sample'], conditions: [], availableOnly: true, identity };
  const search = { ...scope, query: { matching: 'a:*', exact: 'a' }, limit: 1, offset: 0, at };
  const bounds = { relationshipType: null, limit: 1, at };
  const one = { name: 'f', kind: 'number', column: null, time: null, isList: false } as const;
  const keys = [{ ...one, label: 'f', bucket: null }];
  const having = compileHaving('count > 1 && measures.f.max > 2');
  const shares = { percentiles: [0.5], having };
  await readGroups(pool, { ...pageOf(identity, at), keys, measured: [one], ...shares });
  await readFacets(pool, {
    ...pageOf(identity, at),
    names: [one, { ...one, name: 'g' }, { ...one, isList: true }],
  });
  const field = { name: 'f', many: false };
  await referringPages(pool, ['a'], field, pageOf(identity, at));
  await referringTotals(pool, ['a'], field, pageOf(identity, at));
  await countAt(pool, { types: null, availableOnly: true, identity, at: at ?? '1' });
  const selected = { types: null, entityTypes: null, limit: 5 };
  await pageOfLog(pool, { position: '0', mark: START }, selected, identity);
  await idsHolding(pool, [{ a: 1 }], 1, identity, at);
  await changedEntities(pool, { scope, from: '1', to: '9' }, { after: '1', upto: '9', limit: 1 });
  await textsHolding(pool, 'a', ['a']);
  await typesBehind(pool, ['a'], identity);
  await countCreated(pool, { days: 1, project: 'a', identity, most: 1 });
  await targetsOf(pool, [{ id: 'a', type: 't' }], 1, identity, at);
  await ownerOf(pool, 'default', 'a', at);
  await ownersOfAnyType(pool, 'a', identity, at);
  await eventsOf(pool, ['a'], { limit: 1, at }, identity);
  await historyOf(pool, ['a'], { eventTypes: null, limit: 1, offset: 0, at, after: '0' }, identity);
  await everSeen(pool, 'a', identity, at);
  const time = '2026-01-01T00:00:00.000000Z';
  await eventsOfRequest(
    pool,
    { requestId: TOKENS.family, since: time, until: time, limit: 1, after: '0' },
    identity,
  );
  await referenceFaults(pool, [{ entity_type: 'a', field: 'f', targets: ['b'] }], ['1', 'f', 0], 1, identity);
  for (const direction of ['OUT', 'IN', 'BOTH'] as const) {
    await relationshipsOf(pool, ['a'], { ...bounds, direction, offset: 0, after: '0' }, identity);
    await step(pool, { ...bounds, from: ['a'], known: [], direction }, identity);
  }
  await findRelationships(
    pool,
    { ...bounds, entityId: 'a', sourceId: 'b', targetId: 'c', after: '0' },
    identity,
  );
  await searchEntities(pool, { ...search, after: null }, [{ first_event: '1', text: 'b' }]);
  await searchEntities(pool, { ...search, after }, []);
}

async function writeLog(pool: pg.Pool): Promise<void> {
  const set = new WorkingSet(CATALOGUE as never, {
    entities: [],
    relationships: [],
    externalIds: [],
    uniques: [],
  });
  set.events.push({
    type: 'MigrationApplied',
    entityId: null,
    entityType: null,
    author: AUTHOR as never,
    payload: {},
  });
  await flush(pool, set);
}

async function loadForWrites(pool: pg.Pool): Promise<void> {
  const needs = { entities: ['a'], heads: ['b'] };
  for (const large of ['read', 'left out', new Map([['a', { data: {}, mark: 'm' }]])] as const)
    await load(pool, [needs], large);
  await compareReads(pool, {
    entities: [{ id: 'a', lastEvent: '1' }],
    externalIds: [{ recordId: TOKENS.family, entityId: 'a', idType: 't', value: 'v' }],
    uniques: [{ scope: 's', field: 'f', hash: Buffer.of(1), entityId: 'a' }],
  });
}

async function giveTokens(pool: pg.Pool): Promise<void> {
  const store = createTokenStore(pool);
  const code = { hash: Buffer.of(1), clientId: 'c' };
  await store.openForClient(TOKENS, { clientId: 'c', actor: 'user:a', roles: ['viewer'], projects: ['p'] });
  await store.openForDevice(TOKENS, code);
  await store.openForCode(TOKENS, { ...code, redirectUri: 'https://a', challenge: 'c' });
}

const COUNTS = { fetched: 1, created: 1, updated: 0, skipped: 0, failed: 0 };

const AS_RUNS = new QueueTable({
  table: 'workflow.run',
  queuedAt: 'queued_at',
  attempts: 'attempt',
  onClaim: 'started_at = NULL',
  onGiveBack: 'started_at = NULL',
  columns: 'r.id, r.fence::text AS fence',
});

async function workRuns(pool: pg.Pool): Promise<void> {
  await claimRuns(pool, { owner: 'o', configuration: 'c' }, { most: 1, leaseMs: 1 });
  await giveBackRuns(pool, 'o', ['r']);
  await renewRun(pool, JOB, 1, COUNTS);
  await finishRun(pool, JOB, { status: 'success', errors: [], unresolved: [], counts: COUNTS }, 'sample');
  await lockAbandonedRuns(pool, 'c');
  await requeueRun(pool, { ...JOB, attempt: 1 }, { attempts: 1, backoff: 1 }, []);
  await cancelRun(pool, 'r', 'stopped');
  await AS_RUNS.endLeases(pool, ['o']);
}

const NO_FILTER = {
  actor: null,
  requestId: null,
  method: null,
  pathPrefix: null,
  minStatus: null,
  maxStatus: null,
  action: null,
  since: null,
  until: null,
};

async function readAudit(pool: pg.Pool): Promise<void> {
  const place = { timestamp: '2026-01-01T00:00:00.000000Z', id: '1' };
  await listRecords(pool, NO_FILTER, null, 1);
  await listRecords(
    pool,
    {
      actor: 'user:a',
      requestId: TOKENS.family,
      method: 'GET',
      pathPrefix: '/',
      minStatus: 200,
      maxStatus: 299,
      action: 'api_key',
      since: place.timestamp,
      until: place.timestamp,
    },
    place,
    1,
  );
}

async function restore(pool: pg.Pool): Promise<void> {
  for (const table of [...METADATA_TABLES, ...ARTIFACT_TABLES]) await storeRows(pool, table, []);
  await storeRows(pool, ENTITIES, [], { ...SEARCH_COLUMN, texts: [] });
  await findContradiction(pool);
}

export interface Composed {
  readonly send: (pool: pg.Pool) => Promise<void>;
  /** What a type parameter stands for: `file#type`. */
  readonly row?: string;
}

export const COMPOSED: readonly Composed[] = [
  { send: readEntities },
  ...[ALL, SCOPED].flatMap((identity) =>
    MOMENTS.map((at) => ({ send: (pool: pg.Pool) => readRest(pool, identity, at) })),
  ),
  { send: writeLog },
  { send: loadForWrites },
  { send: giveTokens },
  { send: readPast },
  { send: readAudit },
  { send: readMarks },
  { send: restore },
  { send: workRuns, row: 'subgraphs/workflow/run-records/run-queue.store.ts#ClaimedRun' },
  {
    send: workProductions,
    row: 'subgraphs/artifact/productions/production-queue.store.ts#ClaimedProduction',
  },
];
