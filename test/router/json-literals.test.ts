// A JSON literal in a GraphQL document has the same meaning as the same variable, for every component and
// execution path (docs/reference/api-conventions.md#json-literals).
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const fields = ['j', 'k'].map((name) => ({ name, field_type: 'json' }));
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Doc',
      version: '1',
      fields,
      rules: [{ rule_id: 'never', expression: 'has(data.j) || has(data.k)', message: 'never' }],
    },
  });
  for (const id of ['a', 'b'])
    await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Doc', id, data: { j: 1 } },
    });
});
afterAll(() => server[Symbol.asyncDispose]());

/** JSON as text, as a literal, and the literal's variables (as JSON). */
interface Written {
  readonly json: string;
  readonly literal: string;
  readonly variables: readonly string[];
  /** The literal that a variable replaces. */ readonly bare?: Written;
}
const plain = (text: string): Written => ({ json: text, literal: text, variables: [] });

const NAMES = [
  'a',
  'b',
  'tissue',
  'project',
  '__proto__',
  'constructor',
  'toString',
  '_1',
  'data',
  'json_0',
  'v0',
];
const leaf = fc
  .oneof(
    fc.constantFrom(
      'null',
      'true',
      'false',
      '0',
      '-0',
      '1.0',
      '-1',
      '1e21',
      '1E2',
      '0.1',
      '5e-324',
      '9007199254740991',
      '9007199254740993',
      '1e400',
      '123456789012345678901234567890',
      '1.7976931348623157e308',
      '""',
      '"liver"',
      '"\\u0041"',
      '"\\ud83d\\ude00"',
      '"\\u0000"',
      '"\\\\"',
      '"a\\nb"',
      '"$v0"',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => JSON.stringify(text)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  )
  .map(plain);

const listOf = (items: readonly Written[]): Written => ({
  json: `[${items.map(({ json }) => json).join(',')}]`,
  literal: `[${items.map(({ literal }) => literal).join(' ')}]`,
  variables: items.flatMap(({ variables }) => variables),
});
const objectOf = (entries: readonly (readonly [string, Written])[]): Written => ({
  json: `{${entries.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join(',')}}`,
  literal: `{${entries.map(([name, { literal }]) => `${name}: ${literal}`).join(', ')}}`,
  variables: entries.flatMap(([, { variables }]) => variables),
});
const { value } = fc.letrec<{ value: Written; object: Written }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('value')), {
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map(objectOf),
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: tie('object') },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map(listOf) },
    {
      weight: 1,
      arbitrary: tie('value').map((bare): Written =>
        bare.variables.length > 0
          ? bare
          : { json: bare.json, literal: `$${bare.json}$`, variables: [bare.json], bare },
      ),
    },
  ),
}));

/** Names the variables of a literal, which occur in it as `$json$`, in order. */
function numbered({ literal, variables }: Written): string {
  return variables.reduce((text, json, i) => text.replace(`$${json}$`, () => `$v${i}`), literal);
}

interface Way {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly type?: string;
  readonly field: (json: string) => string;
  readonly before?: (json: Written) => Written;
  readonly times?: number;
}
/** A single variable is not a literal. */
const inside = (written: Written): Written => written.bare ?? written;
const inObject =
  (name: string) =>
  (written: Written): Written =>
    objectOf([[name, written]]);
const NOT_ALONE = 'forced: __type(name: "Query") { name }';
const ways: readonly Way[] = [
  {
    name: 'metadata, straight and compiled',
    kind: 'query',
    type: 'JSON',
    times: 5,
    field: (json) =>
      `validateEntity(entityType: "Doc", data: ${json}) { valid failures { message inputContext } }`,
  },
  {
    name: 'metadata, by a plan',
    kind: 'query',
    type: 'JSON',
    times: 2,
    field: (json) =>
      `${NOT_ALONE} validateEntity(entityType: "Doc", data: ${json}) { valid failures { message inputContext } }`,
  },
  {
    name: 'metadata, in a fragment',
    kind: 'query',
    type: 'JSON',
    field: (json) =>
      `... on Query { validateEntity(entityType: "Doc", data: ${json}) { valid failures { message inputContext } } }`,
  },
  {
    name: 'a write',
    kind: 'mutation',
    before: inObject('j'),
    field: (json) => `ingestEntity(entityType: "Doc", data: ${json}) { data entityType version }`,
  },
  {
    name: 'a write of many',
    kind: 'mutation',
    before: inObject('k'),
    field: (json) =>
      `ingestEntities(entities: [{entityType: "Doc", data: {j: 1}}, {entityType: "Doc", data: ${json}}]) { created results { data } errors { code } }`,
  },
  {
    name: 'a context',
    kind: 'mutation',
    type: 'ProvenanceContext',
    before: inObject('notes'),
    field: (json) =>
      `ingestEntity(entityType: "Doc", data: {j: 2}, context: ${json}) { history { context payload } }`,
  },
  {
    name: 'workflow',
    kind: 'mutation',
    type: 'JSON',
    before: inObject('note'),
    field: (json) =>
      `submitRun(action: {type: "resolve", entity_type: "Doc", criteria: {}}, context: ${json}) { action cause }`,
  },
  {
    name: 'artifact',
    kind: 'query',
    before: inObject('j'),
    times: 5,
    field: (json) => `resolveAll(entityType: "Doc", partialSpec: ${json}) { partialSpec total }`,
  },
  {
    name: 'artifact, by a plan with metadata',
    kind: 'query',
    before: inObject('j'),
    times: 2,
    field: (json) =>
      `resolveAll(entityType: "Doc", partialSpec: ${json}) { partialSpec total } entity(id: "a") { id }`,
  },
];

const send = (query: string, variables: string): Promise<Answer> =>
  server.rest('POST', '/graphql', { body: `{"query":${JSON.stringify(query)},"variables":${variables}}` });

/** Masks what differs between requests: the request's id, and error locations. */
function essence({ status, body }: Answer): unknown {
  const { data, errors } = body as {
    data?: unknown;
    errors?: { path?: unknown; extensions: { code: string } }[];
  };
  return {
    status,
    ...(errors === undefined ? { data } : { codes: errors.map(({ extensions }) => extensions.code) }),
  };
}

test.each(ways)(
  '$name: a literal is answered as the variable is, time after time',
  async ({ kind, type = 'JSON!', field, before = inside, times = 1 }) => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(value, async (random) => {
        const written = before(random);
        const whole = await send(`${kind}($j: ${type}) { ${field('$j')} }`, `{"j":${written.json}}`);
        const names = written.variables.map((_, i) => `$v${i}: JSON`);
        const document = `${kind}${names.length > 0 ? `(${names.join(', ')})` : ''} { ${field(numbered(written))} }`;
        const variables = `{${written.variables.map((json, i) => `"v${i}":${json}`).join(',')}}`;
        for (let time = 0; time < times; time++)
          expect({ document, variables, ...(essence(await send(document, variables)) as object) }).toEqual({
            document,
            variables,
            ...(essence(whole) as object),
          });
        if (whole.status === 200 && !('errors' in (whole.body as object))) answered++;
      }),
      { numRuns: Number(process.env['CAIRN_FUZZ_LITERALS'] ?? 60) },
    );
    expect(answered).toBeGreaterThan(5);
  },
  14_400_000,
);

const INGEST = (data: string, head = ''): string =>
  `mutation${head} { ingestEntity(entityType: "Doc", id: "kept", data: ${data}) { data } }`;

test('literals that are no JSON, such as enum values and omitted variables, are left unchanged', async () => {
  await send(INGEST('{j: "liver"}'), '{}');
  const refused: readonly (readonly [string, string, string?])[] = [
    ['{j: liver}', ''],
    ['{j: [liver]}', ''],
    ['{j: {a: {b: liver}}}', ''],
    ['liver', ''],
    ['{j: $x}', '($x: JSON)'],
    ['{j: [{a: $x}]}', '($x: JSON)'],
    ['{j: $x}', '($x: Int)', '{"x": "1"}'],
    ['{j: $x}', '($x: JSON = liver)'],
    ['$x', '($x: JSON! = {j: liver})'],
    ['{j: $x}', '($x: JSON!)', '{"x": null}'],
    [`{j: ${'['.repeat(250)}${']'.repeat(250)}}`, ''],
  ];
  for (const [data, head, variables = '{}'] of refused) {
    for (const again of [1, 2, 3, 4, 5]) {
      const { status, body } = await send(INGEST(data, head), variables);
      expect({
        data,
        again,
        status,
        code: (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code,
      }).toEqual({ data, again, status: 400, code: 'INVALID_REQUEST' });
    }
  }
  const { body } = await server.rest('GET', '/api/v1/metadata/entities/kept');
  expect((body as { data: { data: unknown; version: number } }).data).toMatchObject({
    data: { j: 'liver' },
    version: 1,
  });

  expect((await send(INGEST('{j: $x}', '($x: JSON = {a: 1.0})'), '{}')).body).toMatchObject({
    data: { ingestEntity: { data: { j: { a: 1 } } } },
  });
  expect(
    (await send(INGEST('{j: [$x $y]}', '($x: ID, $y: JSON)'), '{"x": 5, "y": null}')).body,
  ).toMatchObject({ data: { ingestEntity: { data: { j: ['5', null] } } } });
});

test('repeated fields, several operations and taken names do not disturb the extraction', async () => {
  const twice =
    '{ validateEntity(entityType: "Doc", data: {j: {a: 1}}) { valid } validateEntity(entityType: "Doc", data: {j: {a: 1}}) { failures { message } } }';
  for (const _ of [1, 2, 3, 4, 5])
    expect((await send(twice, '{}')).body).toMatchObject({
      data: { validateEntity: { valid: true, failures: [] } },
    });
  // several operations in a document, and a name that is in use
  const document =
    'mutation A($json_0: JSON) { ingestEntity(entityType: "Doc", id: "own", data: {j: {a: [$json_0]}}) { data } } query B($x: JSON) { validateEntity(entityType: "Doc", data: {j: $x}) { valid } }';
  const sent = (operationName: string, variables: object): Promise<Answer> =>
    server.rest('POST', '/graphql', { body: { query: document, operationName, variables } });
  expect((await sent('A', { json_0: 7 })).body).toMatchObject({
    data: { ingestEntity: { data: { j: { a: [7] } } } },
  });
  expect((await sent('B', { x: 7 })).body).toMatchObject({ data: { validateEntity: { valid: true } } });
  expect((await sent('B', {})).status).toBe(400);
});
