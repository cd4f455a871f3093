// An archive holds every column of its tables, or the reason is here: a column that a migration adds and the archive
// lacks would be lost by an import.
import { expect, test } from 'vitest';
import { ARTIFACT_TABLES } from '../../subgraphs/artifact/archive/archived-tables.ts';
import { METADATA_TABLES } from '../../subgraphs/metadata/archive/archived-tables.ts';
import { freshDatabase } from '../testkit/database.ts';

/** Made anew by the import, or of the instance alone. */
const LEFT_OUT = [
  'metadata.entity.search', // from the texts of the entity
  'artifact.stored_object.last_used_at', // reading the archive's files is a use of them
  'artifact.stored_object.archived_at', // of the place of this instance's log: another's has to copy the file
];

test('every column of a table that is archived is in the archive, or it is known why not', async () => {
  await using database = await freshDatabase();
  const { rows } = await database.pool.query<{ column: string }>(
    `SELECT attrelid::regclass || '.' || attname AS column FROM pg_attribute
     WHERE attrelid = ANY($1::text[]::regclass[]) AND attnum > 0 AND NOT attisdropped`,
    [[...METADATA_TABLES, ...ARTIFACT_TABLES].map(({ table }) => table)],
  );
  const archived = [...METADATA_TABLES, ...ARTIFACT_TABLES].flatMap(({ table, columns }) =>
    columns.map(({ name }) => `${table}.${name}`),
  );
  const there = rows.map(({ column }) => column);
  expect(there.length).toBeGreaterThan(40);
  expect(there.filter((column) => !LEFT_OUT.includes(column)).sort()).toEqual([...archived].sort());
});
