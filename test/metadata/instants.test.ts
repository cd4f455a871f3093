// `datetime` fields are instants: any offset in, UTC with microseconds out; order, uniqueness and filters
// compare instants.
import { expect, test } from 'vitest';
import { pino } from 'pino';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { asSuperuser } from '../testkit/database.ts';
import { freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const REGISTER = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST =
  'mutation($i: ID!, $d: JSON!) { ingestEntity(entityType: "Sample", id: $i, data: $d) { id data version } }';
const FIELDS = [
  { name: 'taken', field_type: 'datetime', unique: true },
  { name: 'all', field_type: 'timestamp', many: true },
  { name: 'day', field_type: 'date' },
  { name: 'since', field_type: 'datetime', default: '2026-01-01T00:00:00+01:00' },
  { name: 'note', field_type: 'string' },
];
const sample = async (
  metadata: FreshMetadata,
): Promise<(id: string, data: object) => Promise<{ data: Record<string, unknown>; version: number }>> => {
  await metadata.ask(REGISTER, { d: { name: 'Sample', version: '1', fields: FIELDS } });
  return async (id, data) =>
    (await metadata.ask(INGEST, { i: id, d: data })) as { data: Record<string, unknown>; version: number };
};

test('datetimes with any offset are stored and answered in UTC, with up to microseconds', async () => {
  await using metadata = await freshMetadata();
  const ingest = await sample(metadata);
  expect(
    (
      await ingest('a', {
        taken: '2026-01-31T10:30:00.5+01:00',
        all: ['2026-01-31T00:00:00-09:30', '1969-12-31T23:59:59.1234567Z'],
      })
    ).data,
  ).toEqual({
    taken: '2026-01-31T09:30:00.500000Z',
    all: ['2026-01-31T09:30:00.000000Z', '1969-12-31T23:59:59.123456Z'],
    since: '2025-12-31T23:00:00.000000Z',
  });
  // the same instant: nothing changes
  expect((await ingest('a', { taken: '2026-01-31T11:30:00.500000+02:00' })).version).toBe(1);
  expect(
    await metadata.ask(
      'mutation { updateEntity(entityType: "Sample", id: "a", data: {taken: "2026-01-31T23:30:00-01:00"}) { data } }',
    ),
  ).toMatchObject({ data: { taken: '2026-02-01T00:30:00.000000Z' } });
  expect(await metadata.ask('{ history: entity(id: "a") { history { payload } } }')).toMatchObject({
    history: [{ payload: { initial_state: { taken: '2026-01-31T09:30:00.500000Z' } } }, {}],
  });
});

test.each([
  '2026-01-31T24:00:00Z',
  '2026-01-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-31T00:00:00',
  '2026-01-31T00:00Z',
  '2026-01-31 00:00:00Z',
  '2026-01-31t00:00:00z',
  '2026-01-31T00:00:00+24:00',
  '2026-01-31T00:00:00+01:60',
  '2026-01-31T00:00:00-00:99',
  '2026-01-31T00:00:00+0100',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '2026-01-31T00:00:00.1234567890Z',
  '2026-13-01T00:00:00Z',
  '',
  'now',
])('%s is no instant', async (taken) => {
  await using metadata = await freshMetadata();
  const ingest = await sample(metadata);
  await expect(ingest('a', { taken })).rejects.toThrow(
    'VALIDATION_FAILED: field taken must be a date and time with an offset',
  );
  await expect(ingest('a', { all: [taken] })).rejects.toThrow('VALIDATION_FAILED: field all [0] must be');
  const { validateEntity } = {
    validateEntity: await metadata.ask(
      'query($d: JSON!) { validateEntity(entityType: "Sample", data: $d) { valid } }',
      { d: { taken } },
    ),
  };
  expect(validateEntity).toEqual({ valid: false });
});

test('days are days of the calendar', async () => {
  await using metadata = await freshMetadata();
  const ingest = await sample(metadata);
  for (const day of [
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-00-01',
    '2026-1-1',
    '0000-01-01',
    '2026-01-31T00:00:00Z',
    '12026-01-01',
  ])
    await expect(ingest('a', { day })).rejects.toThrow('field day must be a date');
  for (const day of ['2024-02-29', '2000-02-29', '0001-01-01', '0004-02-29', '9999-12-31'])
    expect((await ingest('a', { day })).data['day']).toBe(day);
});

test('uniqueness, order and filters go by the instant', async () => {
  await using metadata = await freshMetadata();
  const ingest = await sample(metadata);
  await ingest('noon', { taken: '2026-01-31T12:00:00Z', all: ['2026-01-31T12:00:00Z'] });
  // 09:00
  await ingest('morning', { taken: '2026-01-31T23:00:00+14:00', all: ['2026-01-31T23:00:00+14:00'] });
  await ingest('evening', { taken: '2026-01-31T08:00:00.000001-12:00' }); // 20:00
  await expect(ingest('again', { taken: '2026-01-31T13:00:00+01:00' })).rejects.toThrow(
    'field taken must be unique',
  );
  const together = await metadata.ask(
    'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created errors { index message } } }',
    {
      e: ['2026-03-01T00:00:00Z', '2026-03-01T01:00:00+01:00'].map((taken, i) => ({
        entityType: 'Sample',
        id: `t${i}`,
        data: { taken },
      })),
    },
  );
  expect(together).toEqual({
    created: 1,
    errors: [{ index: 1, message: expect.stringContaining('must be unique') as string }],
  });
  const ids = async (args: string): Promise<string[]> =>
    (
      (await metadata.ask(`{ entities(entityType: "Sample", ${args}) { items { id } } }`)) as {
        items: { id: string }[];
      }
    ).items
      .map(({ id }) => id)
      .filter((id) => !/^t\d/.test(id));
  expect(await ids('orderBy: "data.taken"')).toEqual(['morning', 'noon', 'evening']);
  expect(await ids('fields: [{name: "taken", values: ["2026-01-31T10:00:00+01:00"]}]')).toEqual(['morning']);
  expect(
    await ids('fields: [{name: "taken", values: ["2026-01-31T10:00:00 01:00", "2026-01-31T12:00Z"]}]'),
  ).toEqual(['noon', 'morning']); // as a query string may contain it
  expect(await ids('fields: [{name: "all", values: ["2026-01-31T09:00:00Z"]}]')).toEqual(['morning']);
  expect(await ids('filter: "timestamp(data.taken) > timestamp(\\"2026-01-31T14:00:00+01:00\\")"')).toEqual([
    'evening',
  ]);
  expect(await ids('filter: "data.taken > \\"2026-01-31T09:00:00.000000Z\\""')).toEqual(['noon', 'evening']);
  const nodes = async (where: string): Promise<unknown> =>
    (
      (await metadata.ask(`{ typed { sampleList(where: ${where}) { nodes { id } } } }`)) as {
        sampleList: { nodes: { id: string }[] };
      }
    ).sampleList.nodes
      .map(({ id }) => id)
      .filter((id) => !/^t\d/.test(id));
  expect(await nodes('{taken: {le: "2026-01-31T13:00:00+01:00"}}')).toEqual(['noon', 'morning']);
  expect(await nodes('{taken: {in: ["2026-01-31T09:00:00Z"]}}')).toEqual(['morning']);
  expect(await nodes('{all: {has: "2026-01-31T07:00:00-02:00"}}')).toEqual(['morning']);
  await expect(nodes('{taken: {gt: "yesterday"}}')).rejects.toThrow(
    'where: taken must be compared with a date and time',
  );
});

test('stored values are converted, with an event; values that cannot be converted stay and are reported', async () => {
  await using metadata = await freshMetadata();
  const ingest = await sample(metadata);
  const database = new URL(metadata.database.url).pathname.slice(1);
  for (const [i, id] of ['offset', 'list', 'leap', 'first', 'second', 'fine'].entries())
    await ingest(id, { taken: `2026-01-0${i + 1}T00:00:00Z` });
  // as earlier versions stored them
  const before = (id: string, data: string): string =>
    `UPDATE metadata.entity SET data = data || '${data}'::jsonb WHERE id = '${id}';`;
  await asSuperuser(
    [
      before('offset', '{"taken": "2026-01-31T10:30:00+01:00"}'),
      before('list', '{"all": ["2026-01-31T10:30:00+01:00"]}'),
      before('leap', '{"taken": "2026-01-31T23:59:60Z", "since": "2026-01-31T10:30:00+01:00"}'),
      before('first', '{"taken": "2026-02-01T00:00:00Z"}'),
      before('second', '{"taken": "2026-02-01T01:00:00+01:00"}'),
      `UPDATE metadata.unique_value u SET value_hash = sha256(convert_to((e.data -> 'taken')::text, 'UTF8')) FROM metadata.entity e WHERE e.id = u.entity_id`,
    ].join(' '),
    database,
  );
  const said: Record<string, unknown>[] = [];
  const start = async (): Promise<void> => {
    const component = await createMetadataComponent({
      database: metadata.database,
      log: pino(
        { level: 'info' },
        {
          write: (line: string) => {
            said.push(JSON.parse(line) as Record<string, unknown>);
          },
        },
      ),
    });
    for (let i = 0; i < 200 && !said.some(({ left }) => left !== undefined); i++)
      await new Promise((resolve) => {
        setTimeout(resolve, 25);
      });
    await component.close();
  };
  await start();
  expect(said).toEqual([
    expect.objectContaining({ written: 3 }),
    expect.objectContaining({
      left: 2,
      such: [
        expect.objectContaining({ id: 'leap' }),
        expect.objectContaining({
          id: 'second',
          reason: expect.stringContaining('must be unique') as string,
        }),
      ],
    }),
  ]);
  const read = async (id: string): Promise<unknown> =>
    await metadata.ask('query($i: ID!) { entity(id: $i) { data history { eventType actor context } } }', {
      i: id,
    });
  expect(await read('offset')).toMatchObject({
    data: { taken: '2026-01-31T09:30:00.000000Z' },
    history: [{}, { eventType: 'EntityUpdated', actor: 'service:metadata' }],
  });
  expect(await read('list')).toMatchObject({ data: { all: ['2026-01-31T09:30:00.000000Z'] } });
  expect(await read('leap')).toMatchObject({ data: { taken: '2026-01-31T23:59:60Z' }, history: [{}] });
  await expect(ingest('x', { taken: '2026-01-31T10:30:00+01:00' })).rejects.toThrow('must be unique');
  await ingest('leap', { taken: null, since: null });
  await ingest('second', { taken: null });
  const again = await createMetadataComponent({
    database: metadata.database,
    log: pino({ level: 'silent' }),
  });
  const marked = async (): Promise<unknown> =>
    (await metadata.database.pool.query('SELECT entity_type FROM metadata.instants_kept')).rows;
  await expect.poll(marked).toEqual([{ entity_type: 'Sample' }]); // not converted again
  await again.close();
});
