// docs/reference/gateway.md#sync-events, docs/reference/gateway.md#consistency-scans,
// docs/reference/gateway.md#sync-endpoints.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import type { Declaration, ExpectedEntity } from '../../router/sync/scan.ts';
import { createSync, type Sync } from '../../router/sync/sync.service.ts';
import { createSyncStore } from '../../router/sync/sync.store.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { type Gateway, startGateway } from './gateway-testkit.ts';

const SYNC = '/api/v1/gateway/sync';
const sample = (externalId: string): ExpectedEntity => ({ entityType: 'sample', externalId });
const run = (sourceId: string, ...ids: string[]): Declaration => ({
  source: 'workflow',
  sourceId,
  actor: 'service:workflow',
  entities: ids.map(sample),
});

class World {
  declared: Declaration[] = [];
  held = new Set<string>();
  mismatches: string[] = [];
  hold: Promise<void> | undefined;
  fault: Error | undefined;

  sync(database: Database): Sync {
    const world = (): World => this; // a generator cannot use an outer `this`
    return createSync({
      store: createSyncStore(database),
      log: testLog,
      onMismatch: (type) => this.mismatches.push(type),
      deps: {
        async *declared() {
          await world().hold;
          const { fault, declared } = world();
          if (fault) throw fault;
          yield* declared;
        },
        exist: (entities) => Promise.resolve(entities.map(({ externalId }) => this.held.has(externalId))),
      },
    });
  }
}

interface EventShown {
  id: string;
  resolved: boolean;
  resolved_at: string | null;
  details: { missing_entities: unknown[] };
  created_at: string;
}

async function finished(gateway: Gateway, key: string): Promise<Record<string, unknown>> {
  for (;;) {
    const latest = (await (await gateway.fetch(`${SYNC}/scan/latest`, { key })).json()) as Record<
      string,
      unknown
    >;
    if (latest['status'] !== 'started') return latest;
    await sleep(20);
  }
}

async function events(
  gateway: Gateway,
  key: string,
  query = '',
): Promise<{ events: EventShown[]; total: number; next_cursor: string | null }> {
  return (await (await gateway.fetch(`${SYNC}/events${query}`, { key })).json()) as {
    events: EventShown[];
    total: number;
    next_cursor: string | null;
  };
}
const scan = (gateway: Gateway, key: string): Promise<Response> =>
  gateway.fetch(`${SYNC}/scan`, { key, method: 'POST' });

/** The event of the run `r1`, of whose entities metadata holds one. */
const MISMATCH = {
  id: expect.stringMatching(/^evt_/) as string,
  event_type: 'gateway.sync.mismatch',
  source: 'workflow',
  source_id: 'r1',
  actor: 'service:workflow',
  resolved: false,
  resolved_at: null,
  details: {
    missing_entities: [
      { entity_type: 'sample', external_id: 'b' },
      { entity_type: 'sample', external_id: 'c' },
    ],
  },
  created_at: expect.stringMatching(/\.\d{6}Z$/) as string,
};

test('a scan reports what runs declared and metadata does not hold, once per missing set', async () => {
  await using database = await freshDatabase();
  const world = new World();
  const sync = world.sync(database);
  await using gateway = await startGateway({ database, sync });
  const key = await gateway.keyFor('admin');
  expect((await gateway.fetch(`${SYNC}/scan/latest`, { key })).status).toBe(404);

  world.declared = [
    run('r1', 'a', 'b', 'c'),
    run('r2', 'a'),
    run('r3'),
    ...Array.from({ length: 500 }, (_, n) => run(`many${n}`, 'a')),
  ];
  world.held.add('a');
  const started = await scan(gateway, key);
  expect(started.status).toBe(202);
  expect(await started.json()).toMatchObject({
    scan_id: expect.stringMatching(/^scan_/) as string,
    status: 'started',
    started_at: expect.stringMatching(/\.\d{6}Z$/) as string,
  });
  expect(await finished(gateway, key)).toMatchObject({
    status: 'completed',
    checked: 503,
    mismatches: 1,
    error: null,
    finished_at: expect.stringMatching(/Z$/) as string,
  });
  const {
    events: [event],
    total,
  } = await events(gateway, key);
  expect(total).toBe(1);
  expect(event).toEqual(MISMATCH);

  world.declared = [run('r1', 'c', 'a', 'b')];
  await scan(gateway, key);
  expect(await finished(gateway, key)).toMatchObject({ mismatches: 1 });
  expect((await events(gateway, key)).total).toBe(1);

  const note = {
    method: 'POST',
    body: '{"note":"loaded by hand"}',
    headers: { 'content-type': 'application/json' },
    key,
  };
  const resolved = (await (
    await gateway.fetch(`${SYNC}/events/${event?.id}/resolve`, note)
  ).json()) as EventShown;
  expect(resolved).toEqual({
    ...event,
    resolved: true,
    resolved_at: expect.stringMatching(/Z$/) as string,
    note: 'loaded by hand',
    resolved_by: 'user:admin',
  });
  expect(await (await gateway.fetch(`${SYNC}/events/${event?.id}`, { key })).json()).toEqual(resolved);
  expect((await gateway.fetch(`${SYNC}/events/${event?.id}/resolve`, { key, method: 'POST' })).status).toBe(
    409,
  );
  await scan(gateway, key);
  await finished(gateway, key);
  expect((await events(gateway, key)).total).toBe(2);
  expect((await events(gateway, key, '?status=unresolved')).total).toBe(1);
  expect((await events(gateway, key, '?status=resolved')).events.map(({ id }) => id)).toEqual([event?.id]);
  expect(world.mismatches).toEqual(['gateway.sync.mismatch', 'gateway.sync.mismatch']);
  await sync.close();
});

test('while a scan runs, in whichever process, another is answered with it', async () => {
  await using database = await freshDatabase();
  const world = new World();
  let go: () => void = () => undefined;
  world.hold = new Promise((resolve) => {
    go = resolve;
  });
  const [sync, elsewhere] = [world.sync(database), world.sync(database)];
  const [first, ...others] = await Promise.all([
    sync.startScan(),
    sync.startScan(),
    elsewhere.startScan(),
    elsewhere.startScan(),
    sync.startScan(),
  ]);
  expect(new Set(others.map(({ id }) => id))).toEqual(new Set([first.id]));
  go();
  await expect.poll(async () => (await sync.latestScan()).status).toBe('completed');
  await expect.poll(async () => (await elsewhere.startScan()).id).not.toBe(first.id);
  await Promise.all([sync.close(), elsewhere.close()]);
});

test('a failed scan is reported without its cause; a scan whose process died does not block the next', async () => {
  await using database = await freshDatabase();
  const world = new World();
  const sync = world.sync(database);
  world.fault = new Error('password=hunter2');
  await sync.startScan();
  await expect.poll(() => sync.latestScan()).toMatchObject({ status: 'failed', error: 'internal error' });
  await database.pool.query(
    `INSERT INTO gateway.consistency_scan (id, status) VALUES ('scan_dead', 'started')`,
  );
  world.fault = undefined;
  // until the failed one has released its lock, a scan counts as running
  await expect.poll(async () => (await sync.startScan()).id).not.toBe('scan_dead');
  const { rows } = await database.pool.query(
    `SELECT status, error FROM gateway.consistency_scan WHERE id = 'scan_dead'`,
  );
  expect(rows).toEqual([{ status: 'failed', error: 'the process that ran the scan ended' }]);
  await sync.close();
});

test('closing ends a running scan as failed', async () => {
  await using database = await freshDatabase();
  const world = new World();
  world.declared = [run('r1', 'a')];
  world.hold = sleep(100);
  const sync = world.sync(database);
  await sync.startScan();
  await sync.close();
  expect(await sync.latestScan()).toMatchObject({ status: 'failed', error: 'the process was stopped' });
});

test('the log is paged newest first, by offset and by cursor, and its bounds are kept', async () => {
  await using database = await freshDatabase();
  const sync = new World().sync(database);
  await using gateway = await startGateway({ database, sync });
  const key = await gateway.keyFor('admin');
  await database.pool
    .query(`INSERT INTO gateway.sync_event (id, event_type, source, source_id, actor, details, dedupe_key, created_at)
    SELECT 'evt_' || lpad(n::text, 3, '0'), 'gateway.sync.mismatch', 'artifact', 'p', 'service:x', '{"missing_entities":[]}', n::text, '2026-01-01'::timestamptz + (n / 3) * interval '1 s' FROM generate_series(1, 60) n`);
  const ids = (page: { events: EventShown[] }): string[] => page.events.map(({ id }) => id);
  const first = await events(gateway, key);
  expect([first.events.length, first.total, first.events[0]?.id]).toEqual([50, 60, 'evt_060']);
  const all = ids(await events(gateway, key, '?limit=500'));
  expect(all).toHaveLength(60);
  expect(ids(await events(gateway, key, '?limit=10&offset=55'))).toEqual(all.slice(55));
  const walked: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Awaited<ReturnType<typeof events>> = await events(
      gateway,
      key,
      `?limit=7${cursor === '' ? '' : `&offset=3&cursor=${cursor}`}`,
    );
    walked.push(...ids(page));
    cursor = page.next_cursor;
  }
  expect(walked).toEqual(all);
  for (const query of [
    'limit=0',
    'limit=501',
    'limit=-1',
    'limit=x',
    'limit=1e2',
    'offset=-1',
    'offset=99999999999999999999',
    'status=open',
    'cursor=zzz',
    'cursor=W10',
  ]) {
    const answer = await gateway.fetch(`${SYNC}/events?${query}`, { key });
    const { error, message } = (await answer.json()) as { error: string; message: string };
    expect([query, answer.status, error]).toEqual([query, 400, 'invalid_request']);
    if (/^limit=-?\d+$/.test(query)) expect(message).toBe('limit must be an integer from 1 to 500');
  }
  await sync.close();
});

test('sync operations take an admin; unknown events are 404', async () => {
  await using database = await freshDatabase();
  const sync = new World().sync(database);
  await using gateway = await startGateway({ database, sync });
  const admin = await gateway.keyFor('admin');
  const calls = [
    ['GET', '/events'],
    ['GET', '/events/evt_x'],
    ['POST', '/events/evt_x/resolve'],
    ['GET', '/scan/latest'],
    ['POST', '/scan'],
  ] as const;
  for (const role of ['viewer', 'analyst', 'project_lead', 'service'] as const) {
    const key = await gateway.keyFor(role);
    for (const [method, path] of calls)
      expect((await gateway.fetch(SYNC + path, { key, method })).status).toBe(403);
  }
  expect((await gateway.fetch(`${SYNC}/events/evt_x`, { key: admin })).status).toBe(404);
  expect((await gateway.fetch(`${SYNC}/events/evt_x/resolve`, { key: admin, method: 'POST' })).status).toBe(
    404,
  );
  await sync.close();
});
