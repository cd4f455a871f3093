// Packing entities into one value preserves them, whatever their content and size.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { freshMetadata } from '../testkit/metadata.ts';

interface Asked {
  id: string;
  entityType: string;
  data: unknown;
  version: number;
  isAvailable: boolean;
  project: string | null;
}

test('packed entities of all sizes are read back, with separators in every position, and an empty list as empty', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'a', field_type: 'string' },
        { name: 'project', field_type: 'string' },
      ],
    },
  });
  const large = randomBytes(20_000).toString('base64');
  const kept = new Map<string, { a: string; project?: string }>([
    ['plain', { a: 'x' }],
    ['quoted"', { a: '\u001e\u001f', project: '\u001e' }],
    ['dotted.', { a: '\\', project: '"\\u001e' }],
    ['large-1', { a: large, project: 'p' }],
    ['large-2', { a: `${large}\u001e` }],
    ['😀é', { a: '' }],
  ]);
  for (const [id, data] of kept)
    await metadata.ask(
      'mutation($i: ID!, $d: JSON!) { ingestEntity(entityType: "Thing", id: $i, data: $d) { id } }',
      { i: id, d: data },
    );
  const ids = [...kept.keys(), 'nobody', 'plain'];
  const found = (await Promise.all(
    ids.map((id) =>
      metadata.ask('query($i: ID!) { entity(id: $i) { id entityType data version isAvailable project } }', {
        i: id,
      }),
    ),
  )) as (Asked | null)[];
  expect(found).toEqual(
    ids.map((id) => {
      const data = kept.get(id);
      return data === undefined
        ? null
        : { id, entityType: 'Thing', data, version: 1, isAvailable: true, project: data.project ?? null };
    }),
  );
});
