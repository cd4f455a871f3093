// GraphQL types of schemas as a component serves them, with any number of schemas, while they change.
import { expect, test } from 'vitest';
import { Budget } from '../../platform/budget/budget.ts';
import { withBudget } from '../../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS } from '../../platform/budget/limits.ts';
import { admin, freshMetadata } from '../testkit/metadata.ts';

const REGISTER = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';

test('an existing type stays available, whatever is registered that sorts before it', async () => {
  await using metadata = await freshMetadata();
  const register = (name: string): Promise<unknown> =>
    metadata.ask(REGISTER, { d: { name, version: '1', fields: [{ name: 'a', field_type: 'string' }] } });
  await register('Zebra');
  const ask = '{ typed { zebraList { totalCount } } }';
  expect(await metadata.ask(ask)).toEqual({ zebraList: { totalCount: 0 } });
  for (let i = 0; i < 205; i++) await register(`A${i}`);
  expect(await metadata.ask(ask)).toEqual({ zebraList: { totalCount: 0 } });
  expect(await metadata.ask('{ typed { omitted a0List { totalCount } a204(id: "x") { a } } }')).toEqual({
    omitted: [],
    a0List: { totalCount: 0 },
    a204: null,
  });
  await metadata.ask('mutation { ingestEntity(entityType: "A204", id: "x", data: {a: "here"}) { id } }');
  expect(await metadata.ask('{ typed { a204(id: "x") { a entity { version } } } }')).toEqual({
    a204: { a: 'here', entity: { version: 1 } },
  });
  for (let i = 0; i < 6; i++)
    expect(
      await metadata.ask('{ typed { a204List(where: {a: {eq: "here"}}) { nodes { id a } totalCount } } }'),
      // compiled when it is used again
    ).toEqual({ a204List: { nodes: [{ id: 'x', a: 'here' }], totalCount: 1 } });
});

test('introspection in the same operation is answered by the router', async () => {
  await using metadata = await freshMetadata();
  expect(() => metadata.component.prepare('{ typed { omitted } __schema { types { name } } }')).toThrow(
    'introspection has been disabled',
  );
});

test('changes of types are answered page by page, and amount to the complete SDL', async () => {
  await using metadata = await freshMetadata();
  for (let i = 0; i < 60; i++)
    await metadata.ask(REGISTER, {
      d: {
        name: `T${i}`,
        version: '1',
        fields: [{ name: 'to', field_type: 'ref', references: i === 0 ? 'Nobody' : `T${i - 1}` }],
      },
    });
  interface Told {
    version: string;
    changes: {
      upTo: string;
      isLast: boolean;
      digest: string;
      schemas: {
        schema: string;
        since: string;
        types: { name: string; sdl: string }[];
        fields: { name: string; sdl: string }[];
      }[];
    };
  }
  const told = async (since: string | null): Promise<Told> =>
    (await metadata.ask(
      'query($since: String) { typedSchema { version changes(since: $since) { upTo isLast digest schemas { schema since types { name sdl } fields { name sdl } } } } }',
      { since },
    )) as Told;
  const first = await told(null);
  expect([first.changes.isLast, first.changes.schemas.length]).toEqual([false, 20]);
  let last = first;
  const all = [...first.changes.schemas];
  while (!last.changes.isLast) {
    last = await told(last.changes.upTo);
    all.push(...last.changes.schemas);
  }
  expect([last.changes.upTo, last.changes.digest]).toEqual(['60', first.changes.digest]);
  expect(new Set(all.map(({ schema }) => schema)).size).toBe(61); // and a name that only references have
  const { sdl } = (await metadata.ask('{ typedSchema { sdl } }')) as { sdl: string };
  for (const { sdl: part } of all.flatMap(({ types }) => types)) expect(sdl).toContain(part);
  await metadata.ask(REGISTER, {
    d: {
      name: 'T7',
      version: '2',
      fields: [
        { name: 'to', field_type: 'ref', references: 'T6' },
        { name: 'more', field_type: 'int' },
      ],
    },
  });
  expect((await told('60')).changes).toMatchObject({
    upTo: '61',
    isLast: true,
    schemas: [{ schema: 'T7', since: '61' }],
  });
  for (const since of ['61', '61']) expect((await told(since)).changes.schemas).toEqual([]);
  for (const since of ['9999999', 'x', '-1', ''])
    expect((await told(since)).changes.schemas).toHaveLength(20);
});

test('as in SQL, no condition but present holds where there is no value', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(REGISTER, {
    d: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'a', field_type: 'string' },
        { name: 'n', field_type: 'int' },
      ],
    },
  });
  await metadata.ask(`mutation {
    x: ingestEntity(entityType: "Thing", id: "given", data: {a: "here", n: 1}) { id }
    y: ingestEntity(entityType: "Thing", id: "null", data: {a: null, n: null}) { id }
    z: ingestEntity(entityType: "Thing", id: "absent", data: {}) { id } }`);
  const ids = async (where: string): Promise<string[]> =>
    (
      (await metadata.ask(`{ typed { thingList(where: ${where}) { nodes { id } } } }`)) as {
        thingList: { nodes: { id: string }[] };
      }
    ).thingList.nodes.map(({ id }) => id);
  expect(await ids('{a: {ne: "there"}}')).toEqual(['given']);
  expect(await ids('{n: {ne: 7}}')).toEqual(['given']);
  expect(await ids('{a: {ne: "here"}}')).toEqual([]);
  expect(await ids('{id: {ne: "given"}}')).toEqual(['null', 'absent']);
  expect(await ids('{not: {a: {eq: "there"}}}')).toEqual(['given', 'null']);
  expect(await ids('{a: {present: false}}')).toEqual(['null', 'absent']);
});

test('a number is compared as the number that it is, whatever its size', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(REGISTER, {
    d: { name: 'Mass', version: '1', fields: [{ name: 'w', field_type: 'float' }] },
  });
  const sizes = [1e20, -123456789012345680000, 9007199254740994, 1.5e300, 7];
  for (const [i, w] of sizes.entries())
    await metadata.ask(
      'mutation($i: ID!, $d: JSON!) { ingestEntity(entityType: "Mass", id: $i, data: $d) { id } }',
      {
        i: `m${i}`,
        d: { w },
      },
    );
  const found = (where: object): Promise<unknown> =>
    metadata.ask('query($w: MassWhere) { typed { massList(where: $w) { nodes { id } } } }', { w: where });
  for (const [i, w] of sizes.entries())
    for (const where of [{ w: { eq: w } }, { w: { in: [w, 8] } }, { w: { ge: w, le: w } }])
      expect([where, await found(where)]).toEqual([where, { massList: { nodes: [{ id: `m${i}` }] } }]);
});

test('the SDL of all types counts each time that it is shown', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(REGISTER, { d: { name: 'A', version: '1', fields: [] } });
  const { sdl } = (await metadata.ask('{ typedSchema { sdl } }')) as { sdl: string };
  const often = (times: number): string =>
    `{ typedSchema { ${Array.from({ length: times }, (_, i) => `s${i}: sdl`).join(' ')} } }`;
  const budget = new Budget({ ...DEFAULT_OPERATION_LIMITS, bytes: sdl.length * 10 }, admin);
  await expect(budget.within(metadata.raw(often(11), {}, withBudget(admin, budget)))).rejects.toThrow(
    `${sdl.length * 11} bytes, but at most ${sdl.length * 10} are allowed`,
  );
  budget.close();
});

test('reverse references count by what they show', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(REGISTER, { d: { name: 'Pond', version: '1', fields: [] } });
  await metadata.ask(REGISTER, {
    d: {
      name: 'Frog',
      version: '1',
      fields: [{ name: 'pond', field_type: 'ref', references: 'Pond' }],
    },
  });
  await metadata.ask(`mutation { ${Array.from({ length: 30 }, (_, i) => `f${i}: ingestEntity(entityType: "Frog", id: "f${i}", data: {pond: "p${i % 3}"}) { id }`).join(' ')}
    ${Array.from({ length: 3 }, (_, i) => `p${i}: ingestEntity(entityType: "Pond", id: "p${i}", data: {}) { id }`).join(' ')} }`);
  const ask = '{ typed { pondList { nodes { referencedBy { frogByPond { nodes { id pond { id } } } } } } } }';
  const run = async (objects: number): Promise<unknown> => {
    const budget = new Budget({ ...DEFAULT_OPERATION_LIMITS, objects }, admin);
    try {
      return await budget.within(metadata.raw(ask, {}, withBudget(admin, budget)));
    } finally {
      budget.close();
    }
  };
  const answer = (await run(200)) as { data: unknown };
  expect(JSON.stringify(answer.data).match(/"f\d+"/g)).toHaveLength(30);
  await expect(run(40)).rejects.toThrow('at most 40 are allowed');
});
