// Both paths of a read, JSON text from the store and values through resolvers, give the same answer
// (docs/architecture.md#the-way-of-a-request).
import { expect, test } from 'vitest';
import { unseal } from '../../platform/sealed-text.ts';
import { freshMetadata } from '../testkit/metadata.ts';

const FIELDS = 'id entityType data version createdAt updatedAt isAvailable project __typename';

test('an entity, a page and a history are the same by text and by values, whatever they hold', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Thing "q" '.replaceAll(/[^\w]/g, ''),
      version: '1',
      fields: [
        { name: 'a', field_type: 'json' },
        { name: 'project', field_type: 'string' },
      ],
    },
  });
  const values: unknown[] = [
    'plain',
    'quote " and \\ and / and \u2028 and é 😀 <>&',
    '',
    null,
    0.1,
    1e21,
    -5,
    [],
    {},
    { deep: [{ x: [1, { 'k"ey': null }] }] },
    'line\nbreak\ttab',
  ];
  for (const [i, a] of values.entries())
    await metadata.ask(
      'mutation($i: ID!, $d: JSON!) { ingestEntity(entityType: "Thingq", id: $i, data: $d) { id } }',
      { i: `e"${i}é😀`, d: i % 2 ? { a } : { a, project: 'p "1" \\' } },
    );
  const both = async (text: string, values: string): Promise<void> => {
    const [fast, slow] = [await metadata.raw(text), await metadata.raw(values)];
    expect(fast.errors ?? slow.errors).toBeUndefined();
    expect(fast.texts).toBeDefined();
    expect(slow.texts).toBeUndefined();
    // two cursors of one place are different texts
    const opened = (key: string, value: unknown): unknown =>
      key === 'nextCursor' && typeof value === 'string' ? unseal(value) : value;
    expect(
      Object.fromEntries(Object.entries(fast.texts ?? {}).map(([key, t]) => [key, JSON.parse(t, opened)])),
    ).toEqual(JSON.parse(JSON.stringify(slow.data), opened));
  };
  await both(
    `{ entities(entityType: "Thingq", limit: 5) { items { ${FIELDS} } total limit offset nextCursor } }`,
    `{ entities(entityType: "Thingq", limit: 5) { ... on EntityPage { items { ${FIELDS} } total limit offset nextCursor } } }`,
  );
  await both(
    `{ page: entities(limit: 1000, orderBy: "-data.a") { total items { k: id d: data } } }`,
    `{ page: entities(limit: 1000, orderBy: "-data.a") { total ... { items { k: id d: data } } } }`,
  );
  await both(
    `{ one: entity(id: "e\\"1é😀") { ${FIELDS} } none: entity(id: "nope") { id } }`,
    `{ one: entity(id: "e\\"1é😀") { ... { ${FIELDS} } } none: entity(id: "nope") { ... { id } } }`,
  );
  await both(
    `{ h: entityHistory(entityId: "e\\"1é😀") { eventType payload actor timestamp } }`,
    `{ h: entityHistory(entityId: "e\\"1é😀") { ... { eventType payload actor timestamp } } }`,
  );
});
