// GraphQL types of schemas: a `Sample` with its own fields, references as edges, conditions, connections;
// they follow the schemas without a restart.
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { setUp, server, typed } from './typed-testkit.ts';

setUp();

const ids = async (where: string, more = ''): Promise<string[]> =>
  (
    await typed<{ sampleList: { nodes: { id: string }[] } }>(
      `sampleList(where: ${where}${more}) { nodes { id } }`,
    )
  ).sampleList.nodes.map((node) => node.id);

test('a schema is a type with its own fields, its references are edges, and the generic entity is one step away', async () => {
  const { sample } = await typed<{
    sample: unknown;
  }>(`sample(id: "s05") { id age depth tissue tags fresh extra drawn id_type donor { id label } relatives { id age donor { label } }
    entity { id entityType version data history { eventType } relationships { id } } }`);
  expect(sample).toMatchObject({
    id: 's05',
    age: 25,
    depth: 2.5,
    tissue: 'liver',
    tags: ['t2', 'all'],
    fresh: false,
    extra: { deep: [5] },
    drawn: '2024-01-15',
    id_type: 'here',
    donor: { id: 'd1', label: 'Donor 1' },
    // an entity of another type, and a missing one, are not a Sample
    relatives: [{ id: 's04', age: 24, donor: { label: 'Donor 0' } }, null, null],
    entity: {
      id: 's05',
      entityType: 'Sample',
      version: 1,
      history: [{ eventType: 'EntityCreated' }],
      relationships: [],
    },
  });
  expect(
    await typed(
      'biopsy(id: "s03") { id age needle } sample(id: "s03") { id } donor(id: "s03") { id } nobody: sample(id: "none") { id }',
    ),
  ).toEqual({
    biopsy: { id: 's03', age: 23, needle: null },
    sample: { id: 's03' },
    donor: null,
    nobody: null,
  });
  expect(await typed('biopsy(id: "s01") { id }')).toEqual({ biopsy: null });
});

test('conditions mean what the same filter in CEL means', async () => {
  expect(await ids('{age: {ge: 24, lt: 27}}')).toEqual(['s04', 's05', 's06']);
  expect(await ids('{tissue: {eq: "liver"}, age: {gt: 27}}')).toEqual(['s09', 's11']);
  expect(await ids('{or: [{age: {eq: 20}}, {depth: {eq: 5.5}}]}')).toEqual(['s00', 's11']);
  expect(await ids('{not: {age: {lt: 30}}}')).toEqual(['s10', 's11']);
  expect(await ids('{and: [{tags: {has: "t1"}}, {not: {age: {in: [21, 24]}}}]}')).toEqual(['s07', 's10']);
  expect(await ids('{tags: {hasAny: ["t0", "none"]}, fresh: {eq: true}, donor: {eq: "d1"}}')).toEqual([
    's09',
  ]);
  expect(await ids('{drawn: {ge: "2024-01-20"}, id: {ne: "s10"}}')).toEqual(['s11']);
  expect(await ids('{id_type: {present: true}}')).toEqual(['s05']);
  expect(
    await ids(
      '{id_type: {present: false}, age: {lt: 22}, for: {startsWith: "x", contains: "x", endsWith: "x"}}',
    ),
  ).toEqual(['s00', 's01']);
  expect(await ids('{}')).toHaveLength(12);
  expect(await ids('{or: []}')).toEqual([]);
  expect(await ids('{age: {gt: 22}}', ', filter: "data.age < 24"')).toEqual(['s03']);
  expect(await ids('{tissue: {eq: "\\" || true || \\""}}')).toEqual([]);
});

test('a name that GraphQL does not take is mapped, and says so', async () => {
  const { body } = await server.graphql('{ __type(name: "Sample") { fields { name description } } }');
  const mapped =
    (body.data.__type.fields as { name: string; description: string }[]).find((field) =>
      field.description?.includes('The field "Ph-Wert".'),
    )?.name ?? '';
  expect(mapped).toMatch(/^Ph_Wert_[\da-f]{8}$/);
  expect(
    await typed(
      `sample(id: "s02") { ${mapped} } sampleList(where: {${mapped}: {ge: 8.0}}, orderBy: "-data.Ph-Wert") { nodes { id } }`,
    ),
  ).toEqual({ sample: { [mapped]: 7.2 }, sampleList: { nodes: [{ id: 's11' }, { id: 's10' }] } });
  await expect(ids(`{${mapped}: {present: true}}`)).rejects.toThrow(
    'VALIDATION_FAILED: where: `present` is not supported for the field name "Ph-Wert"',
  );
});

test('lists are Relay connections: cursors for every edge, pages, a count', async () => {
  interface Page {
    sampleList: {
      edges: { cursor: string; node: { id: string } }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
      totalCount: number;
    };
  }
  const LIST =
    'sampleList(first: 5, after: $after, orderBy: "-data.age", where: {age: {gt: 20}}) { totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';
  const seen: string[] = [];
  for (let after: string | null = null, more = true; more;) {
    const {
      sampleList: { edges, pageInfo, totalCount },
    }: Page = await typed<Page>(LIST, { after }, undefined, '($after: String)');
    expect(totalCount).toBe(11);
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]?.cursor, edges.at(-1)?.cursor]);
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    seen.push(...edges.map((edge) => edge.node.id));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  expect(seen).toEqual(Array.from({ length: 11 }, (_, i) => `s${String(11 - i).padStart(2, '0')}`));
  const first = await typed<Page>('sampleList(first: 3) { edges { cursor } }');
  expect(
    (
      await typed<{ sampleList: { nodes: { id: string }[] } }>(
        `sampleList(first: 1, after: "${first.sampleList.edges[1]?.cursor ?? ''}") { nodes { id } }`,
      )
    ).sampleList.nodes,
  ).toEqual([{ id: 's02' }]);
  await expect(typed('sampleList(first: 1001) { totalCount }')).rejects.toThrow(
    'VALIDATION_FAILED: first must be',
  );
});

test('a connection goes backwards as well, in the same order, and a page may be of none', async () => {
  interface Page {
    edges: { cursor: string; node: { id: string } }[];
    pageInfo: {
      hasNextPage: boolean;
      hasPreviousPage: boolean;
      startCursor: string | null;
      endCursor: string | null;
    };
    totalCount: number;
  }
  const page = async (args: string): Promise<Page> =>
    (
      await typed<{ sampleList: Page }>(
        `sampleList(${args}) { totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`,
      )
    ).sampleList;
  const idsOf = ({ edges }: Page): string[] => edges.map((edge) => edge.node.id);
  for (const order of [
    '',
    ', orderBy: "-data.age"',
    ', orderBy: "data.tissue,-id"',
    ', orderBy: "-updated_at"',
    ', filter: "data.age * 1.0 > 22.0"',
  ]) {
    const whole = await page(`first: 1000${order}`);
    const seen: string[] = [];
    for (let before = '', more = true; more;) {
      const { edges, pageInfo, totalCount } = await page(`last: 5${before}${order}`);
      expect([totalCount, pageInfo.hasNextPage, pageInfo.startCursor, pageInfo.endCursor]).toEqual([
        whole.totalCount,
        before !== '',
        edges[0]?.cursor,
        edges.at(-1)?.cursor,
      ]);
      seen.unshift(...edges.map((edge) => edge.node.id));
      [before, more] = [`, before: "${pageInfo.startCursor ?? ''}"`, pageInfo.hasPreviousPage];
    }
    expect(seen).toEqual(idsOf(whole));
    const there = await page(`first: 4${order}`);
    expect(idsOf(await page(`last: 2, before: "${there.pageInfo.endCursor ?? ''}"${order}`))).toEqual(
      idsOf(there).slice(1, 3),
    ); // a cursor works in both directions
    expect(idsOf(await page(`before: "${there.pageInfo.endCursor ?? ''}"${order}`))).toEqual(
      idsOf(there).slice(0, 3),
    );
  }
  const none = { edges: [], pageInfo: { startCursor: null, endCursor: null }, totalCount: 12 };
  expect(await page('first: 0')).toMatchObject({
    ...none,
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  expect(await page('last: 0')).toMatchObject({
    ...none,
    pageInfo: { hasNextPage: false, hasPreviousPage: true },
  });
  for (const args of [
    'first: 1, last: 1',
    'first: 1, before: "x"',
    'last: 1, after: "x"',
    'first: -1',
    'last: 1001',
    'last: 1, before: "x"',
  ])
    await expect(page(args)).rejects.toThrow('VALIDATION_FAILED');
});

test('references of a whole page are read together', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await typed('sampleList { nodes { donor { label } relatives { donor { label } } } }');
  const byId = query.mock.calls.filter(([asked]) => JSON.stringify(asked).includes('"name":"entities-'));
  query.mockRestore();
  expect(byId.length).toBeGreaterThan(0);
  // at most one for donors, one for relatives, one for the donors of relatives
  expect(byId.length).toBeLessThanOrEqual(3);
});
