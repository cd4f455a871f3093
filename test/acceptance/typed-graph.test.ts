// The typed graph as a client has it: writes in the types of schemas, what refers to an entity, `node`, and
// changes of one schema (docs/reference/metadata.md#typed-graphql).
import { expect, test } from 'vitest';
import { fieldNameOf } from '../../subgraphs/metadata/typed/typed-names.ts';
import { setUp, server, ask, told } from './typed-graph-testkit.ts';

setUp();

test('entities are created, changed, merged and deleted in the types of their schemas, in the order of the document', async () => {
  const { typed } = await told<{ typed: unknown }>(
    `mutation ($context: ProvenanceContext) { typed { revision
      p: createPuddle(input: {id: "p1", label: "north"}, context: $context) { __typename id label entity { version isAvailable } }
      a: createSpecimen(input: {id: "s1", puddle: "p1", legs: 6, ${fieldNameOf('mass mg')}: 1.5, notes: {deep: [1, "x"]}, count: 3}) { id legs state notes count puddle { id label } }
      b: updateSpecimen(id: "s1", set: {legs: null, alive: true}, ifVersion: 1) { id legs alive state entity { version } }
      c: upsertSpecimen(input: {id: "s1", puddle: "p1", legs: 8}) { legs alive entity { version data } }
      d: upsertBeetle(input: {id: "b1", puddle: "p1", horns: 2}) { id horns puddle { label } }
      e: deleteSpecimen(id: "b1", reason: "lost") { id entity { isAvailable } }
      f: createEmpty(input: {}) { __typename } } }`,
    { context: { why: 'test' } },
  );
  expect(typed).toEqual({
    revision: expect.any(String),
    p: { __typename: 'Puddle', id: 'p1', label: 'north', entity: { version: 1, isAvailable: true } },
    a: {
      id: 's1',
      legs: 6,
      state: 'fresh',
      notes: { deep: [1, 'x'] },
      count: 3,
      puddle: { id: 'p1', label: 'north' },
    },
    b: { id: 's1', legs: null, alive: true, state: 'fresh', entity: { version: 2 } },
    c: { legs: 8, alive: true, entity: { version: 3, data: expect.objectContaining({ 'mass mg': 1.5 }) } },
    d: { id: 'b1', horns: 2, puddle: { label: 'north' } },
    e: { id: 'b1', entity: { isAvailable: false } },
    f: { __typename: 'Empty' },
  });
  const { entity } = await told<{ entity: { history: unknown[] } }>(
    '{ entity(id: "p1") { history { eventType actor context } } }',
  );
  expect(entity.history).toEqual([
    { eventType: 'EntityCreated', actor: 'user:admin', context: { why: 'test' } },
  ]);
});

test('each write is refused by itself, by the same rules and in the same words as any other', async () => {
  const { data, errors } = await ask<{ typed: Record<string, unknown> }>(
    `mutation { typed {
      taken: createPuddle(input: {id: "p1", label: "again"}) { id }
      stale: updatePuddle(id: "p1", set: {label: "x"}, ifVersion: 7) { id }
      word: createSpecimen(input: {puddle: "p1", state: "rotten"}) { id }
      other: updateSpecimen(id: "p1", set: {legs: 1}) { id }
      null: updatePuddle(id: "p1", set: {label: null}) { id }
      fine: createPuddle(input: {id: "p2", label: "south"}) { id } } }`,
  );
  expect(data.typed).toEqual({
    taken: null,
    stale: null,
    word: null,
    other: null,
    null: null,
    fine: { id: 'p2' },
  });
  expect(errors?.map(({ message, path, extensions }) => [path?.at(-1), extensions.code, message])).toEqual([
    ['taken', 'CONFLICT', 'entity already exists: p1'],
    ['stale', 'PRECONDITION_FAILED', 'entity p1 is at version 1, not 7'],
    ['word', 'VALIDATION_FAILED', 'field state must be one of fresh, dried'],
    ['other', 'NOT_FOUND', expect.stringContaining('p1')],
    ['null', 'VALIDATION_FAILED', 'field label is required'],
  ]);
  const invalid = await ask('mutation { typed { createPuddle(input: {id: "p3"}) { id } } }');
  expect(invalid.errors?.[0]?.message).toContain('"PuddleCreateInput.label" of required type "String!"');
});

test('writes of types and others are made one after the other', async () => {
  const { data, errors } = await ask<Record<string, unknown>>(
    `mutation {
      first: typed { createPuddle(input: {id: "o1", label: "a"}) { entity { version runs { runId } } } }
      createEntity(entityType: "Specimen", id: "o2", data: {puddle: "o1"}) { id version }
      then: typed { updatePuddle(id: "o1", set: {label: "b"}, ifVersion: 1) { label } }
      updateEntity(entityType: "Puddle", id: "o1", data: {label: "c"}, ifVersion: 2) { version } }`,
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    first: { createPuddle: { entity: { version: 1, runs: [] } } },
    createEntity: { id: 'o2', version: 1 },
    then: { updatePuddle: { label: 'b' } },
    updateEntity: { version: 3 },
  });
});

test('who may not write, delete or enter a project may not do so by a type', async () => {
  const viewer = await server.newKey({ role: 'viewer' });
  const analyst = await server.newKey({ role: 'analyst' });
  const ours = await server.newKey({ role: 'analyst', project: 'ours' });
  const code = async (source: string, key: string): Promise<string | undefined> =>
    (await ask(`mutation { typed { ${source} } }`, {}, key)).errors?.[0]?.extensions.code;
  expect(await code('createPuddle(input: {label: "v"}) { id }', viewer)).toBe('INSUFFICIENT_ROLE');
  expect(await code('revision', viewer)).toBe('INSUFFICIENT_ROLE');
  expect(await code('createPuddle(input: {id: "mine", label: "v"}) { id }', analyst)).toBeUndefined();
  expect(await code('deletePuddle(id: "mine") { id }', analyst)).toBe('INSUFFICIENT_ROLE');
  expect(await code('createPuddle(input: {label: "v", project: "theirs"}) { id }', ours)).toBe(
    'PROJECT_SCOPE_DENIED',
  );
  expect(
    await code('createPuddle(input: {id: "our", label: "v", project: "ours"}) { id }', ours),
  ).toBeUndefined();
  await told(
    'mutation { typed { createPuddle(input: {id: "their", label: "v", project: "theirs"}) { id } } }',
  );
  expect(await code('updatePuddle(id: "their", set: {label: "w"}) { id }', ours)).toBe('NOT_FOUND');
});

/** What refers to three puddles, as the test below asks. */
const REFERRED = [
  {
    id: 'r0',
    referencedBy: {
      id: 'r0',
      specimenByPuddle: {
        totalCount: 5,
        nodes: [
          { id: 'r-s10', legs: 10 },
          { id: 'r-s08', legs: 8 },
        ],
        pageInfo: { hasNextPage: true },
      },
      specimenByAlso: { nodes: [{ id: 'r-s00' }, { id: 'r-s04' }, { id: 'r-s08' }] },
    },
  },
  {
    id: 'r1',
    referencedBy: {
      id: 'r1',
      specimenByPuddle: {
        totalCount: 5,
        nodes: [
          { id: 'r-s11', legs: 11 },
          { id: 'r-s09', legs: 9 },
        ],
        pageInfo: { hasNextPage: true },
      },
      specimenByAlso: { nodes: [] },
    },
  },
  {
    id: 'r2',
    referencedBy: {
      id: 'r2',
      specimenByPuddle: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false } },
      specimenByAlso: { nodes: [{ id: 'r-s00' }, { id: 'r-s04' }, { id: 'r-s08' }] },
    },
  },
];

interface Back {
  typed: {
    puddle: {
      referencedBy: {
        specimenByPuddle: {
          nodes: { id: string }[];
          pageInfo: { endCursor: string; hasNextPage: boolean };
        };
      };
    };
  };
}

/** What refers to `r1`, in pages of two. */
async function idsPageByPage(key: string): Promise<string[]> {
  const back: string[] = [];
  for (let after: string | null = null; ;) {
    const answer: Back = await told<Back>(
      'query ($after: String) { typed { puddle(id: "r1") { referencedBy { specimenByPuddle(first: 2, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } } } } }',
      { after },
      key,
    );
    const page = answer.typed.puddle.referencedBy.specimenByPuddle;
    back.push(...page.nodes.map(({ id }) => id));
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  return back;
}

test('what refers to an entity is paged, filtered and read together, as of the time of the entity', async () => {
  await told(
    `mutation { typed { ${Array.from({ length: 3 }, (_, i) => `p${i}: createPuddle(input: {id: "r${i}", label: "r"}) { id }`).join(' ')} } }`,
  );
  for (let i = 0; i < 12; i++)
    await told(`mutation ($input: SpecimenCreateInput!) { typed { createSpecimen(input: $input) { id } } }`, {
      input: {
        id: `r-s${String(i).padStart(2, '0')}`,
        puddle: `r${i % 2}`,
        also: i % 4 === 0 ? ['r2', 'r0'] : [],
        legs: i,
        ...(i === 11 ? { project: 'hidden' } : {}),
      },
    });
  const now = new Date(Date.now() + 1).toISOString();
  interface Lists {
    typed: {
      puddleList: {
        nodes: { id: string; referencedBy: { specimenByPuddle: { totalCount: number; nodes: unknown[] } } }[];
      };
    };
  }
  const lists = await told<Lists>(
    `{ typed { puddleList(where: {id: {startsWith: "r"}}) { nodes { id referencedBy { id
      specimenByPuddle(first: 2, where: {legs: {ge: 2}}, orderBy: "-data.legs") { totalCount nodes { id legs } pageInfo { hasNextPage } }
      specimenByAlso { nodes { id } } } } } } }`,
  );
  expect(lists.typed.puddleList.nodes).toEqual(REFERRED);
  // the same as a list by the field, page by page, whoever asks
  const scoped = await server.newKey({ role: 'viewer', project: 'other' });
  for (const key of [server.key, scoped]) {
    const back = await idsPageByPage(key);
    const { body } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Specimen&puddle=r1', {
      key,
    });
    expect(back).toEqual(body.data.items.map(({ id }: { id: string }) => id));
    expect(back).toHaveLength(key === scoped ? 5 : 6);
  }
  // a filter that is checked row by row says the same
  const { typed: residual } = await told<{ typed: unknown }>(
    `{ typed { puddle(id: "r0") { referencedBy { specimenByPuddle(filter: "int(data.legs) % 4 == 0") { totalCount nodes { id } } } } } }`,
  );
  expect(residual).toEqual({
    puddle: {
      referencedBy: {
        specimenByPuddle: { totalCount: 3, nodes: [{ id: 'r-s00' }, { id: 'r-s04' }, { id: 'r-s08' }] },
      },
    },
  });
  await told('mutation { typed { updateSpecimen(id: "r-s00", set: {puddle: "r2"}) { id } } }');
  const asOf = async (at: string | null): Promise<unknown> =>
    (
      await told<{ typed: { puddle: { referencedBy: { specimenByPuddle: { totalCount: number } } } } }>(
        'query ($at: DateTime) { typed { puddle(id: "r2", asOf: $at) { referencedBy { specimenByPuddle { totalCount nodes { id } } } } } }',
        { at },
      )
    ).typed.puddle.referencedBy.specimenByPuddle;
  expect(await asOf(now)).toEqual({ totalCount: 0, nodes: [] });
  expect(await asOf(null)).toEqual({ totalCount: 1, nodes: [{ id: 'r-s00' }] });
});
