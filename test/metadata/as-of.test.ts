// Reads of the past give the answers that were given at that time (docs/reference/metadata.md#the-past,
// docs/decisions/0010).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import {
  INGEST,
  AVAILABILITY,
  RELATE,
  UNRELATE,
  REPLACE,
  REGISTER,
  SUPERSEDE,
  GET,
  STATE,
  LIST,
  type Page,
  READS,
  BY_ID,
  OF_OPERATION,
  NAMES,
  step,
  type Step,
  CALLERS,
  metadata,
  ask,
  lastInstant,
  setUp,
} from './as-of-testkit.ts';

setUp();

/** Executes a step; an impossible step is skipped. */
async function take(one: Step, run: string): Promise<void> {
  const id = (short: string): string => `${run}${short}`;
  const write = (): Promise<unknown> => {
    switch (one[0]) {
      case 'write':
        return ask(INGEST, {
          t: one[3] ? 'SubThing' : 'Thing',
          id: id(one[1]),
          d: { ...one[2], ...(one[2].next === undefined ? {} : { next: id(one[2].next) }) },
        });
      case 'availability':
        return ask(AVAILABILITY, { id: id(one[1]), a: one[2] });
      case 'relate':
        return ask(RELATE, { s: id(one[1]), t: id(one[2]), y: one[3] });
      case 'unrelate':
        return ask(UNRELATE, { s: id(one[1]), t: id(one[2]), y: one[3] });
      case 'supersede':
        return ask(REPLACE, { s: id(one[1]), t: id(one[2]) });
      case 'identify':
        return ask(REGISTER, { id: id(one[1]), x: `${run}${one[2]}` }).catch(() =>
          ask(SUPERSEDE, { id: id(one[1]), x: `${run}${one[2]}`, y: `${run}${one[2]}'` }),
        );
      default:
        return one satisfies never;
    }
  };
  await write().catch((refused: unknown) => {
    expect(String(refused)).toMatch(/NOT_FOUND|VALIDATION_FAILED/);
  });
}

/** The values of the document's root fields; of a subscription, all of them. */
async function read(document: string, variables: Record<string, unknown>, caller: Caller): Promise<unknown> {
  if (document.startsWith('subscription')) {
    const values: unknown[] = [];
    for await (const result of await metadata.component.subscribe(document, variables, caller)) {
      expect(result.errors).toBeUndefined();
      values.push(result.data);
    }
    return values;
  }
  const { data: values, texts, errors } = await metadata.raw(document, variables, caller);
  const codes = errors?.map(({ extensions }) => extensions?.['code']);
  return codes ?? (texts ? JSON.parse(Object.values(texts)[0] ?? 'null') : values);
}

async function answers(run: string, at: string | null): Promise<unknown[]> {
  const everything = [
    ...READS,
    ...[...BY_ID, ...OF_OPERATION].flatMap((document) =>
      NAMES.map((short) => ({ document, variables: { id: run + short } })),
    ),
  ];
  const all: unknown[] = [];
  for (const caller of CALLERS)
    for (const { document, variables } of everything) {
      const isOfOperation = OF_OPERATION.includes(document);
      const value = isOfOperation
        ? await read(document, variables, at === null ? caller : { ...caller, asOf: at })
        : await read(document, { ...variables, at }, caller);
      // a cursor of the past contains its moment, one of the present does not: only its presence is compared
      all.push([
        caller.actor,
        document.slice(0, 60),
        variables,
        JSON.parse(JSON.stringify(value, (key, v: unknown) => (key === 'nextCursor' ? v !== null : v))),
      ]);
    }
  return all;
}

let runs = 0;

test('every read answered at a time equals the read as of that time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const run = `r${++runs}-`;
      const seen: { at: string; answered: unknown[] }[] = [];
      for (const one of steps) {
        await take(one, run);
        seen.push({ at: await lastInstant(), answered: await answers(run, null) });
      }
      for (const { at, answered } of seen) expect(await answers(run, at)).toEqual(answered);
    }),
    { numRuns: Number(process.env['CAIRN_TEST_RUNS'] ?? 2) },
  );
}, 14_400_000);

test('every timestamp the platform returns, sent back in any form, means the same instant', async () => {
  const first = await ask<{ createdAt: string }>(INGEST, { t: 'Thing', id: 'ts', d: { n: 1 } });
  const second = await ask<{ createdAt: string; updatedAt: string }>(INGEST, {
    t: 'Thing',
    id: 'ts',
    d: { n: 2 },
  });
  expect(second.createdAt).toBe(first.createdAt);
  const n = async (at: string): Promise<unknown> =>
    (await ask<{ data: { n: number } } | null>(STATE, { id: 'ts', at }))?.data.n ?? null;
  const shifted = (at: string, ms: number, zone: string): string =>
    new Date(Date.parse(at) + ms).toISOString().replace(/\.\d+Z/, at.slice(19, 26)) + zone;
  const before = (at: string): string => {
    const micros = BigInt(Date.parse(`${at.slice(0, 19)}Z`)) * 1000n + BigInt(at.slice(20, 26)) - 1n;
    return `${new Date(Number(micros / 1000n)).toISOString().slice(0, 19)}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
  };
  expect([
    await n(before(first.createdAt)),
    await n(first.createdAt),
    await n(before(second.updatedAt)),
    await n(second.updatedAt),
  ]).toEqual([null, 1, 1, 2]);
  expect(await n(shifted(first.createdAt, 2 * 3_600_000, '+02:00'))).toBe(1);
  expect(await n(shifted(first.createdAt, -5.5 * 3_600_000, '-05:30'))).toBe(1);
  expect(await n('1999-12-31T23:59:59Z')).toBeNull();
  expect(await n('2999-12-31T23:59:59Z')).toBe(2);
  for (const at of ['yesterday', '2026-01-01', '2026-02-30T00:00:00Z'])
    await expect(n(at)).rejects.toThrow('VALIDATION_FAILED');
});

test('a past state equals the replay of the events up to it', async () => {
  await ask(INGEST, { t: 'Thing', id: 'rp', d: { n: 0, word: 'red' } });
  for (let i = 1; i < 6; i++) {
    await ask(INGEST, { t: 'Thing', id: 'rp', d: { n: i } });
    await ask(AVAILABILITY, { id: 'rp', a: i % 2 === 0 });
  }
  const events = await ask<{ eventType: string; timestamp: string; payload: Record<string, unknown> }[]>(
    'query($id: ID!) { entityHistory(entityId: $id) { eventType timestamp payload } }',
    { id: 'rp' },
  );
  expect(events).toHaveLength(11);
  let state: { data: unknown; version: number; isAvailable: boolean } = {
    data: null,
    version: 0,
    isAvailable: true,
  };
  for (const { eventType, timestamp, payload } of events) {
    if (eventType === 'EntityCreated') state = { ...state, data: payload['initial_state'], version: 1 };
    if (eventType === 'EntityUpdated')
      state = { ...state, data: payload['new_state'], version: state.version + 1 };
    if (eventType === 'AvailabilityChanged') state = { ...state, isAvailable: payload['current'] === true };
    expect(await ask(STATE, { id: 'rp', at: timestamp })).toMatchObject({ ...state, updatedAt: timestamp });
  }
});

test('a past instant always gives the same answer: a read waits for writes that are under way', async () => {
  const client = await metadata.database.pool.connect();
  try {
    await client.query('BEGIN; SELECT metadata.open_log()');
    await client.query(`WITH event AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload) VALUES ('EntityCreated', 'slow', 'Thing', 'user:slow', '1', '{"initial_state":{}}') RETURNING position)
      INSERT INTO metadata.entity (id, entity_type, data, first_event, state_event, last_event) SELECT 'slow', 'Thing', '{}', position, position, position FROM event`);
    await client.query(
      `UPDATE metadata.entity_count SET n = n + 1 WHERE entity_type = 'Thing' AND project = '' AND is_available`,
    );
    const { rows } = await client.query<{ at: string }>(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
    );
    const at = rows[0]?.at ?? '';
    let isAnswered = false;
    const asked = ask<{ id: string } | null>(STATE, { id: 'slow', at }).finally(() => {
      isAnswered = true;
    });
    expect(await ask(GET, { id: 'slow' })).toBeNull(); // a read of the present does not wait
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    expect(isAnswered).toBe(false);
    await client.query('COMMIT');
    expect(await asked).toMatchObject({ id: 'slow' });
    expect(await ask(STATE, { id: 'slow', at })).toMatchObject({ id: 'slow' });
  } finally {
    client.release();
  }
});

test('pages of the past follow each other by cursor, whatever is written meanwhile', async () => {
  for (let i = 0; i < 9; i++)
    await ask(INGEST, { t: 'Thing', id: `pg${i}`, d: { n: 100 + (i % 3), word: 'paged' } });
  const at = await lastInstant();
  for (const order of ['created_at', '-updated_at', 'data.n', '-id']) {
    const filter = { t: 'Thing', f: 'data.n >= 100 && data.n < 200', o: order, n: 2 };
    const whole = (await ask<Page>(LIST, { ...filter, n: 1000, at })).items;
    expect(whole).toHaveLength(9);
    const walked: unknown[] = [];
    for (let cursor: string | null = null, i = 0; i === 0 || cursor !== null; i++) {
      const page: Page = await ask<Page>(LIST, {
        ...filter,
        c: cursor,
        ...(cursor === null ? { at } : i % 2 ? {} : { at }),
      }); // a cursor carries its moment with it
      walked.push(...page.items);
      cursor = page.nextCursor;
      await ask(INGEST, { t: 'Thing', id: `pg${i}`, d: { n: 500 + i } });
      await ask(AVAILABILITY, { id: `pg${8 - i}`, a: false });
    }
    expect(walked).toEqual(whole);
    for (let i = 0; i < 9; i++) {
      await ask(INGEST, { t: 'Thing', id: `pg${i}`, d: { n: 100 + (i % 3) } });
      await ask(AVAILABILITY, { id: `pg${i}`, a: true });
    }
  }
  const present = await ask<Page>(LIST, { t: 'Thing', n: 1 });
  await expect(ask(LIST, { t: 'Thing', n: 1, c: present.nextCursor, at })).rejects.toThrow(
    'VALIDATION_FAILED',
  );
});
