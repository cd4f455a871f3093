// Where most rows share one value of a column, values with few rows are found by its index all the same: causal chains look
// up hundreds of them at once.
import type pg from 'pg';
import { expect, test } from 'vitest';
import type { Queryable } from '../../platform/queryable.ts';
import {
  listMadeFiles,
  listOrigins,
  listPlanned,
  listProductionsFor,
} from '../../subgraphs/artifact/causal-links/causal-links.store.ts';
import { listResolvedBy, listResolvesOf } from '../../subgraphs/artifact/causal-links/plan-links.store.ts';
import { listRegistered } from '../../subgraphs/artifact/causal-links/rule-links.store.ts';
import {
  listEntities,
  listFields,
  listSetters,
  listWrittenBy,
  listWrittenFor,
} from '../../subgraphs/metadata/causal-links/causal-links.store.ts';
import { targetsOf } from '../../subgraphs/metadata/expand/expand.store.ts';
import { relationshipsOf, step } from '../../subgraphs/metadata/relationships/relationships.store.ts';
import {
  listEmitted,
  listFired,
  listPollsOfEvents,
  listRunsOfDeliveries,
  listSent,
} from '../../subgraphs/workflow/causal-links/causal-links.store.ts';
import { listEntitiesOfRuns, listRunsOfTriggers } from '../../subgraphs/workflow/run-records/runs.store.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';

const REQUEST = '00000000-0000-4000-8000-000000000001';
const ROWS = 20_000;
/** Of the row `i`: twenty seconds from the first to the last. */
const AT = "'2026-01-01Z'::timestamptz + i * interval '1 ms'";
const series = (statement: string): string => `${statement} FROM generate_series(1, ${ROWS}) i`;

/** A load that was one request, one run that fired all others, one plan that all productions follow. */
const FILLED = [
  `SET session_replication_role = replica`,
  series(`INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, timestamp, schema_version, payload, request_id, cause)
    SELECT 'EntityUpdated', 'one', 'T', 'user:ada', ${AT}, '0', '{"changed_fields": {}}', '${REQUEST}', 'run:one'`),
  series(`INSERT INTO workflow.run (id, action, cause, caused_by, delivery_id, trigger_name, trigger_type, status, actor, queued_at)
    SELECT 'run-' || i, '{}', '{"event":"done"}', 'run:one', 'one', 't', 'webhook', 'queued', 'user:x', ${AT}`),
  series(`INSERT INTO workflow.firing (trigger_name, firing_key, run_id, caused_by)
    SELECT 't', i::text, 'run-' || i, 'event:one'`),
  series(`INSERT INTO workflow.received_delivery (id, trigger_name, body, request_id, received_at)
    SELECT i::text, 't', '', '${REQUEST}', ${AT}`),
  series(`INSERT INTO artifact.production (id, entity_type, criteria, status, request_key, plan, plan_hash, requested_by, finished_at, entity_ids, requested_at)
    SELECT i::text, 'T', '{}', 'completed', i::text, '{}', 'one', 'user:x', now(), ARRAY['e' || i], ${AT}`),
  series(
    `INSERT INTO artifact.production_cause (production_id, cause, role) SELECT i::text, 'run:one', 'asked'`,
  ),
  series(`INSERT INTO artifact.production_resolve (production_id, request_id) SELECT i::text, '${REQUEST}'`),
  series(
    `INSERT INTO artifact.production_output (production_id, entity_id, field, hash) SELECT 'one', 'e' || i, 'f', 'one'`,
  ),
  series(
    `INSERT INTO artifact.artifact_entity (entity_id, hash, field, production_id) SELECT 'e' || i, 'one', 'f', 'one'`,
  ),
  series(`INSERT INTO artifact.rule (name, version, definition, status, cwl_hash, registered_by, caused_by)
    SELECT 'r' || i, 1, '{}', 'active', 'x', 'user:x', 'run:one'`),
  series(`INSERT INTO workflow.past_state (relation, key, until, state) SELECT 'run', 'one', ${AT}, '{}'`),
  series(
    `INSERT INTO artifact.past_state (relation, key, until, state) SELECT 'production', 'one', ${AT}, '{}'`,
  ),
  series(`INSERT INTO workflow.run_entity (run_id, entity_id) SELECT 'run-' || i, 'one'`),
  series(`INSERT INTO metadata.relationship (source_id, target_id, relationship_type, created_by, created_event)
    SELECT 'e' || i, 'one', 'of', 'user:x', i`),
  series(`INSERT INTO metadata.entity (id, entity_type, data, search, first_event, state_event, last_event)
    SELECT 'e' || i, 'T', '{}', '', i, i, i`),
  series(`INSERT INTO metadata.entity_history (id, entity_type, data, version, is_available, first_event, from_event, to_event)
    SELECT 'one', 'T', '{}', i, true, 1, i, i + 1`),
  `ANALYZE`,
];

const SEER = { actor: 'user:ada', roles: ['viewer'], projects: '*' } as const;
const BOUNDS = { limit: 500, skip: 0, asOf: null, isKept: false } as const;
const NAMES = Array.from({ length: 500 }, (_, i) => `run:run-${i}`);
const UUIDS = NAMES.map((_, i) => `00000000-0000-4000-8001-${String(i).padStart(12, '0')}`);
const FIELDS = NAMES.map((id) => ({ id, field: 'f' }));
const PAGE = { limit: 20, offset: 0 };
const RUNS = {
  ...PAGE,
  ...{ status: null, project: null, since: null, until: null, causedBy: null, requestId: null },
  ...{ error: null, after: null },
};
/** In the middle of what was written. */
const THEN = '2026-01-01T00:00:10Z';
const SIDES = { ...PAGE, relationshipType: 'of', after: '0', at: null };
const NO_EVENTS = NAMES.map(() => null);

const STATEMENTS: Readonly<Record<string, (db: Queryable) => Promise<unknown>>> = {
  listFired: (db) => listFired(db, NAMES, BOUNDS, SEER.projects, NO_EVENTS),
  listEmitted: (db) => listEmitted(db, NAMES, BOUNDS, SEER.projects),
  listPollsOfEvents: (db) => listPollsOfEvents(db, NAMES, BOUNDS, SEER.projects),
  listSent: (db) => listSent(db, UUIDS, BOUNDS, SEER.projects),
  listRunsOfDeliveries: (db) => listRunsOfDeliveries(db, NAMES, BOUNDS, SEER.projects),
  listWrittenBy: (db) => listWrittenBy(db, UUIDS, BOUNDS, SEER),
  listWrittenFor: (db) => listWrittenFor(db, NAMES, BOUNDS, SEER),
  listEntitiesThen: (db) => listEntities(db, NAMES, '10000', SEER),
  listFieldsThen: (db) => listFields(db, FIELDS, '10000', SEER),
  listSetters: (db) => listSetters(db, FIELDS, BOUNDS, SEER),
  listProductionsFor: (db) => listProductionsFor(db, NAMES, BOUNDS, SEER),
  listPlanned: (db) => listPlanned(db, NAMES, BOUNDS, SEER),
  listOrigins: (db) => listOrigins(db, NAMES, BOUNDS),
  listMadeFiles: (db) => listMadeFiles(db, NAMES, BOUNDS),
  listResolvesOf: (db) => listResolvesOf(db, NAMES, BOUNDS, SEER),
  listResolvedBy: (db) => listResolvedBy(db, UUIDS, BOUNDS, SEER),
  listEntitiesOfRuns: (db) => listEntitiesOfRuns(db, NAMES, { ...PAGE, asOf: null }),
  listRunsOfTriggers: (db) => listRunsOfTriggers(db, SEER.projects, NAMES, { ...RUNS, asOf: null }),
  listRunsOfTriggersThen: (db) => listRunsOfTriggers(db, SEER.projects, NAMES, { ...RUNS, asOf: THEN }),
  listPlannedThen: (db) => listPlanned(db, NAMES, { ...BOUNDS, asOf: THEN, isKept: true }, SEER),
  relationshipsOut: (db) => relationshipsOf(db, NAMES, { ...SIDES, direction: 'OUT' }, SEER),
  relationshipsIn: (db) => relationshipsOf(db, NAMES, { ...SIDES, direction: 'IN' }, SEER),
  relationshipsBoth: (db) =>
    relationshipsOf(db, NAMES, { ...SIDES, direction: 'BOTH', relationshipType: null }, SEER),
  step: (db) => step(db, { ...SIDES, from: NAMES, known: [], direction: 'BOTH' }, SEER),
  targetsOf: (db) =>
    targetsOf(
      db,
      NAMES.map((id) => ({ id, type: 'of' })),
      10,
      SEER,
      null,
    ),
  listRegistered: (db) => listRegistered(db, NAMES, BOUNDS, { actor: SEER.actor, seesAll: true }),
};

const NOTHING = 'nothing asked';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** Whether a scan reads a table, or all rows behind some place, whatever is asked for. */
function isWhole(plan: Plan): boolean {
  const type = plan['Node Type'];
  if (type === 'Seq Scan') return true;
  if (!/^(?:Bitmap )?Index (?:Only )?Scan$/.test(type)) return false;
  const condition = plan['Index Cond'] ?? '';
  // all past states are of a few relations
  return plan['Index Name']?.startsWith('past_state_')
    ? !condition.includes('key')
    : !condition.includes(' = ');
}
const wholeScans = (plan: Plan): string[] => [
  ...(isWhole(plan)
    ? [`${plan['Node Type']} of ${plan['Relation Name'] ?? ''} ${plan['Index Name'] ?? ''}`.trim()]
    : []),
  ...(plan.Plans ?? []).flatMap(wholeScans),
];

/** Instead of answering, tells the whole scans of each statement; a store that asks none stays `nothing asked`. */
const explaining = (pool: pg.Pool, found: string[]): Queryable => ({
  // Stores ask with a text and values, or with a named text.
  query: (async (asked: string | pg.QueryConfig, given?: unknown[]) => {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: given } : asked;
    const { rows } = await pool.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    if (found[0] === NOTHING) found.pop();
    for (const row of rows) found.push(...wholeScans(row['QUERY PLAN'][0].Plan));
    return { rows: [], rowCount: 0, command: 'EXPLAIN', oid: 0, fields: [] };
  }) as Queryable['query'],
});

/** What each statement scans whole, over a database that has been filled. */
async function scansOver(filled: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  await using database = await freshDatabase();
  await asSuperuser(filled.join(';'), new URL(database.url).pathname.slice(1));
  const found: Record<string, string[]> = {};
  for (const [name, run] of Object.entries(STATEMENTS))
    await run(explaining(database.pool, (found[name] = [NOTHING])));
  return found;
}
const NO_SCANS = Object.fromEntries(Object.keys(STATEMENTS).map((name) => [name, []]));

test('what hundreds of nodes lead to is read by indexes, where most rows belong to one of them', async () => {
  expect(await scansOver(FILLED)).toEqual(NO_SCANS);
});

test('so it is where one entity is the source of all relationships', async () => {
  const has = FILLED.map((sql) => sql.replace(`'e' || i, 'one', 'of'`, `'one', 'e' || i, 'of'`));
  expect(has).not.toEqual(FILLED);
  expect(await scansOver(has)).toEqual(NO_SCANS);
});
