// Writes are decided before they have the log's lock. What happens meanwhile is noticed under it, and the write is
// decided again: as if it had been decided under the lock.
import pg from 'pg';
import { expect, test } from 'vitest';
import { ingest, update } from '../../subgraphs/metadata/entities/entity-writes.ts';
import { register } from '../../subgraphs/metadata/external-ids/external-id-writes.ts';
import { Log } from '../../subgraphs/metadata/log/log.service.ts';
import { Rivals } from '../../subgraphs/metadata/log/rivals.ts';
import { withOpenLog } from '../../subgraphs/metadata/log/log.store.ts';
import type { Write } from '../../subgraphs/metadata/log/write.ts';
import { relate, unrelate } from '../../subgraphs/metadata/relationships/relationship-writes.ts';
import { readCatalogue } from '../../subgraphs/metadata/log/schemas.store.ts';
import { admin, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const author = { ...admin, contextText: null };

/** A door of its own; what is given happens once, after it has read what its first batch needs. */
async function slowDoor({ database: { pool, pipelined } }: FreshMetadata, meanwhile: () => Promise<unknown>) {
  const catalogue = await readCatalogue(pool);
  const attempts: boolean[] = [];
  const log = new Log({
    withOpenLog: (work, options) =>
      withOpenLog(
        pipelined,
        (open) =>
          work({
            ...open,
            async load(needs, large) {
              const loaded = await open.load(needs, large);
              if (attempts.push(options?.isAhead === true) === 1) await meanwhile();
              return loaded;
            },
          }),
        { ...options, clockAheadSeconds: 60 },
      ),
    catalogue: () => catalogue,
    rivals: new Rivals(),
    validate: () => undefined,
    largeStates: () => Promise.resolve(new Map()),
  });
  return { write: <Result>(write: Write<Result>) => log.write(write), attempts };
}

async function withThings(): Promise<FreshMetadata> {
  const metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'a', field_type: 'int' },
        { name: 'b', field_type: 'int' },
        { name: 'code', field_type: 'string', unique: true },
      ],
    },
  });
  for (const id of ['one', 'two'])
    await metadata.ask(
      'mutation($i: ID!) { ingestEntity(entityType: "Thing", id: $i, data: {a: 1}) { id } }',
      {
        i: id,
      },
    );
  return metadata;
}

const UPDATE =
  'mutation($i: ID!, $d: JSON!) { updateEntity(entityType: "Thing", id: $i, data: $d) { version } }';

test('a change that came between is not lost: what was read before it is decided again', async () => {
  await using metadata = await withThings();
  const door = await slowDoor(metadata, () => metadata.ask(UPDATE, { i: 'one', d: { a: 2 } }));
  const { result } = await door.write(
    update({ entityType: 'Thing', id: 'one', data: { b: 3 }, ifVersion: null, author }),
  );
  expect(result).toMatchObject({ version: 3, data: { a: 2, b: 3 } });
  expect(door.attempts).toEqual([true, false]);
  expect(await metadata.ask('{ entity(id: "one") { data } }')).toEqual({ data: { a: 2, b: 3 } });
  const payloads = await metadata.database.pool.query(
    `SELECT payload FROM metadata.provenance WHERE entity_id = 'one' ORDER BY position`,
  );
  expect(
    payloads.rows.map(({ payload }: { payload: { changed_fields?: unknown } }) => payload.changed_fields),
  ).toEqual([undefined, ['a'], ['b']]);
});

test.each([
  [
    'a wanted version',
    (metadata: FreshMetadata) => metadata.ask(UPDATE, { i: 'one', d: { a: 2 } }),
    update({ entityType: 'Thing', id: 'one', data: { b: 3 }, ifVersion: 1, author }),
    'is at version 2, not 1',
  ],
  [
    'an id that was free',
    (metadata: FreshMetadata) =>
      metadata.ask('mutation { ingestEntity(entityType: "Thing", id: "new", data: {}) { id } }'),
    ingest({ entityType: 'Thing', id: 'new', mayExist: true, ifExists: false, data: {}, author }),
    'exists',
  ],
  [
    'a unique value that was free',
    (metadata: FreshMetadata) => metadata.ask(UPDATE, { i: 'two', d: { code: 'x' } }),
    update({ entityType: 'Thing', id: 'one', data: { code: 'x' }, ifVersion: null, author }),
    'unique',
  ],
  [
    'an external id that was free',
    (metadata: FreshMetadata) =>
      metadata.ask(
        'mutation { registerExternalId(entityId: "two", idType: "t", externalId: "x") { externalId } }',
      ),
    register({ entityId: 'one', key: { idType: 't', value: 'x' }, author }),
    'x',
  ],
  [
    'a relationship that was missing',
    (metadata: FreshMetadata) =>
      metadata.ask(
        'mutation { relate(sourceId: "one", targetId: "two", relationshipType: "knows") { relationshipType } }',
      ),
    relate({ key: { sourceId: 'one', targetId: 'two', type: 'knows' }, metadata: null, author }),
    'exists',
  ],
])(
  '%s is taken between: the write is refused as if it had come later',
  async (_what, meanwhile, write, message) => {
    await using metadata = await withThings();
    const door = await slowDoor(metadata, () => meanwhile(metadata));
    await expect(door.write<unknown>(write)).rejects.toThrow(message);
    expect(door.attempts).toEqual([true, false]);
  },
);

test('a relationship that is removed between is not removed twice', async () => {
  await using metadata = await withThings();
  const key = { sourceId: 'one', targetId: 'two', type: 'knows' };
  const at = await slowDoor(metadata, () => Promise.resolve());
  await at.write(relate({ key, metadata: null, author }));
  const door = await slowDoor(metadata, () => at.write(unrelate({ key, reason: 'first', author })));
  await expect(door.write(unrelate({ key, reason: 'second', author }))).rejects.toThrow('not found');
});

test('a schema that is registered between decides: also about what is refused', async () => {
  await using metadata = await withThings();
  const door = await slowDoor(metadata, () => Promise.resolve());
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Other', version: '1', fields: [] },
  });
  const { result } = await door.write(
    ingest({ entityType: 'Other', id: 'o', mayExist: true, data: {}, author }),
  );
  expect(result).toMatchObject({ id: 'o' });
});

test(
  'what is refused, or changes nothing, does not wait for the lock; nor does anyone for who decides',
  { timeout: 120_000 },
  async () => {
    await using metadata = await withThings();
    const holder = new pg.Client(metadata.database.url);
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT metadata.open_log()');
      const door = await slowDoor(metadata, () => Promise.resolve());
      const { result } = await door.write(
        update({ entityType: 'Thing', id: 'one', data: { a: 1 }, ifVersion: null, author }),
      );
      expect(result).toMatchObject({ version: 1 });
      await expect(
        door.write(update({ entityType: 'Thing', id: 'none', data: { a: 1 }, ifVersion: null, author })),
      ).rejects.toThrow('not found');
      expect(door.attempts).toEqual([true, true]);
    } finally {
      await holder.end();
    }
    // while one has read and decides, others write
    const standing = await slowDoor(metadata, async () => {
      const { rows } = await metadata.database.pool.query<{ held: string }>(
        `SELECT count(*) AS held FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND (classid::bigint << 32) + objid::bigint = 4847307193528361`,
      );
      expect(rows).toEqual([{ held: '0' }]);
    });
    await standing.write(update({ entityType: 'Thing', id: 'one', data: { a: 7 }, ifVersion: null, author }));
  },
);

test('many processes that change one entity at once lose nothing', async () => {
  await using metadata = await withThings();
  const doors = await Promise.all([1, 2, 3].map(() => slowDoor(metadata, () => Promise.resolve())));
  let done = 0;
  await Promise.all(
    doors.flatMap(({ write }, i) =>
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 10; n++) {
          await write({
            author,
            needs: () => ({ entities: ['one'] }),
            decide(view) {
              const present = view.entity('one');
              const data = { ...present?.data, a: Number(present?.data['a']) + 1, b: i };
              view.update('one', { data, project: null, searchText: '', changedFields: ['a', 'b'] });
            },
          });
          done++;
        }
      }),
    ),
  );
  expect(await metadata.ask('{ entity(id: "one") { version data } }')).toMatchObject({
    version: done + 1,
    data: { a: done + 1 },
  });
});
