// When the database's clock leaps ahead nothing is stamped with a future time, and writes resume when it is
// correct again.
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '../../platform/database/connect.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import type { MetadataOptions } from '../../subgraphs/metadata/foundation.ts';
import { FAKETIME, type FakedPostgres, fakedPostgres } from '../testkit/faked-postgres.ts';
import { admin } from '../testkit/metadata.ts';

const timed = test.skipIf(FAKETIME === undefined);
const DAYS = 24 * 3600;
let postgres: FakedPostgres | undefined;
const db = (): FakedPostgres => {
  if (!postgres) throw new Error('the database did not start');
  return postgres;
};

beforeAll(async () => {
  if (FAKETIME === undefined) return;
  postgres = await fakedPostgres();
  await ask(
    'mutation { createSchema(definition: {name: "Thing", version: "1", fields: [{name: "n", field_type: "int"}]}) { name } }',
  );
});
afterAll(() => postgres?.[Symbol.asyncDispose](), 60_000);
beforeEach(() => {
  postgres?.setAhead(0);
});

/** As a process that starts now. */
async function ask(document: string, options: Partial<MetadataOptions> = {}): Promise<unknown> {
  const component = await createMetadataComponent({
    database: db().database,
    log: pino({ level: 'silent' }),
    ...options,
  });
  try {
    const { data, texts, errors } = await component.prepare(document)({}, admin);
    if (errors?.[0]) throw Object.assign(new Error(errors[0].message), { extensions: errors[0].extensions });
    const [text] = Object.values(texts ?? {});
    return text === undefined ? Object.values(data ?? {})[0] : (JSON.parse(text) as unknown);
  } finally {
    await component.close();
  }
}
const ingest = (n: number, options?: Partial<MetadataOptions>): Promise<unknown> =>
  ask(
    `mutation { ingestEntity(entityType: "Thing", id: "t", data: {n: ${n}}) { version updatedAt } }`,
    options,
  );
const lastTime = async (): Promise<number> =>
  (
    await db().database.pool.query<{ t: Date }>('SELECT max(timestamp) AS t FROM metadata.provenance')
  ).rows[0]?.t.getTime() ?? 0;
const status = '{ metadataService { status fault } }';

timed(
  'while the clock is 400 days ahead nothing is stamped, 503 says why, health says it; when it is right again everything goes on',
  async () => {
    await ingest(1);
    db().setAhead(400 * DAYS);
    await expect(ingest(2)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^the next event would be of 202\d.* ahead of this server's clock/,
      ) as unknown,
      extensions: { code: 'COMPONENT_UNAVAILABLE' },
    });
    await expect(
      ask('mutation { createSchema(definition: {name: "Other", version: "1", fields: []}) { name } }'),
    ).rejects.toMatchObject({ extensions: { code: 'COMPONENT_UNAVAILABLE' } });
    expect(await ask(status)).toMatchObject({
      status: 'unhealthy',
      fault: expect.stringMatching(/^the clock of the database is 345\d{5} s ahead/) as unknown,
    });
    expect(await ask('{ entity(id: "t") { data } }')).toEqual({ data: { n: 1 } });
    db().setAhead(0);
    await ingest(3);
    expect(await lastTime()).toBeLessThan(Date.now() + 30_000);
    expect(await ask(status)).toEqual({ status: 'healthy', fault: null });
  },
);

timed('a step within the bound is taken, and one behind keeps the order of times', async () => {
  db().setAhead(40);
  await ingest(4);
  const ahead = await lastTime();
  expect(ahead).toBeGreaterThan(Date.now() + 20_000);
  db().setAhead(-3600);
  await ingest(5);
  expect(await lastTime()).toBeGreaterThanOrEqual(ahead);
});

timed('an instant that only the leaping clock calls past is not remembered as past', async () => {
  const database = connectDatabase({
    url: db().database.url,
    applicationName: 'reader',
    log: pino({ level: 'silent' }),
  });
  const component = await createMetadataComponent({ database, log: pino({ level: 'silent' }) });
  const soon = new Date(Date.now() + 3600_000).toISOString();
  const asked = async (): Promise<unknown> =>
    Object.values(
      (await component.prepare(`{ entityAt(id: "t", at: "${soon}") { data } }`)({}, admin)).data ?? {},
    )[0];
  try {
    await ingest(6);
    db().setAhead(400 * DAYS);
    expect(await asked()).toEqual({ data: { n: 6 } });
    db().setAhead(0);
    await ingest(7);
    expect(await asked()).toEqual({ data: { n: 7 } });
  } finally {
    await component.close();
    await database.close();
  }
});

timed(
  'a log whose last event is in the future is said to be so and not written, unless the bound is set beyond it',
  async () => {
    db().setAhead(10 * DAYS);
    await ingest(8, { clockAheadSeconds: 20 * DAYS });
    db().setAhead(0);
    await expect(ingest(9)).rejects.toMatchObject({ extensions: { code: 'COMPONENT_UNAVAILABLE' } });
    expect(await ask(status)).toMatchObject({
      status: 'unhealthy',
      fault: expect.stringMatching(/^the last event of the log is 8\d{5} s ahead/) as unknown,
    });
    expect(await ingest(9, { clockAheadSeconds: 20 * DAYS })).toMatchObject({
      version: expect.any(Number) as unknown,
    });
  },
);
