// Too expensive documents are refused before they are analysed.
import { getIntrospectionQuery } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_DOCUMENT_LIMITS } from '../../router/execution/document-limits.ts';
import { InvalidDocument } from '../../router/execution/invalid-document.ts';
import { createSupergraph } from '../../router/execution/supergraph.ts';
import { createSubgraphHandler } from '../../platform/serve-subgraph.ts';
import { caller, createBooks, createLibrary, log, permissions, times } from './library.ts';
import { listen, subgraphOptions } from './over-http.ts';
import { ask, post, serveEndpoint } from './serve-endpoint.ts';

const supergraph = await createSupergraph({ components: createLibrary(), permissions, log, pollMs: 0 });
supergraph.prepare('{ book(id: "b1") { author { name } } }'); // warm-up

/** Processor time of this process in milliseconds, which does not depend on other processes. */
function worked(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function refusal(source: string): { message: string; ms: number } {
  const from = worked();
  try {
    supergraph.prepare(source);
  } catch (thrown) {
    if (thrown instanceof InvalidDocument) return { message: thrown.message, ms: worked() - from };
    throw thrown;
  }
  throw new Error('the document was taken');
}

const fanOut = (levels: number, ways: number): string =>
  `{ books { ...F0 } } ${times(levels, (i) => `fragment F${i} on Book { ${times(ways, (w) => `w${w}: me { ...F${i + 1} }`)} }`)} fragment F${levels} on Book { id }`;

test.each([
  ['fan-out through fragments', fanOut(20, 3), 'too many fields|too deep'],
  [
    'fan-out that stays flat',
    `{ books { ...F0 } } ${times(20, (i) => `fragment F${i} on Book { ...F${i + 1} ...F${i + 1} }`)} fragment F20 on Book { id }`,
    'too many fields',
  ],
  ['too many fields', `{ books { ${times(601, () => 'id')} } }`, 'too many fields'],
  ['too many aliases', `{ books { ${times(101, (i) => `a${i}: id`)} } }`, 'too many aliases'],
  [
    'aliases spread over fragments',
    `{ books { ...A ...B } } fragment A on Book { ${times(60, (i) => `a${i}: id`)} } fragment B on Book { ${times(60, (i) => `b${i}: id`)} }`,
    'too many aliases',
  ],
  ['too many root fields', `{ ${times(21, (i) => `a${i}: book(id: "b1") { id }`)} }`, 'too many root fields'],
  [
    'root fields through fragments',
    `{ ${times(11, () => '...F')} } fragment F on Query { books { id } people { id } }`,
    'too many root fields',
  ],
  ['too deep', `{ books ${times(20, () => '{ me')} { id } ${times(20, () => '}')} }`, 'too deep'],
  [
    'too deep through fragments',
    `{ books { ...F0 } } ${times(20, (i) => `fragment F${i} on Book { me { ...F${i + 1} } }`)} fragment F20 on Book { id }`,
    'too deep',
  ],
  [
    'too many directives',
    `{ books { ${times(101, () => 'id @include(if: true)')} } }`,
    'too many directives',
  ],
  ['too many tokens', `{ books { ${times(6000, () => 'id')} } }`, 'tokens'],
  [
    'fragments that contain themselves',
    '{ books { ...F } } fragment F on Book { me { ...G } } fragment G on Book { me { ...F } }',
    'too deep',
  ],
  ['an alias that is a prototype', '{ __proto__: book(id: "b1") { id } }', 'reserved'],
  ['an alias that looks like introspection', '{ book(id: "b1") { __typename: title } }', 'reserved'],
  ['a variable with a reserved name', 'query($__proto__: ID!) { book(id: $__proto__) { id } }', 'reserved'],
  ['a nameless heap of braces', '{'.repeat(50_000), 'tokens|Syntax|too deep'],
])('%s: refused, and quickly', (_, source, reason) => {
  const refusals = [refusal(source), refusal(source), refusal(source)];
  expect(refusals[0]?.message).toMatch(new RegExp(reason));
  // the fastest, because this machine may be busy
  expect(Math.min(...refusals.map(({ ms }) => ms))).toBeLessThan(100);
});

test('a fan-out document of 1.4 kB is answered 400 with less than 100 ms of work', async () => {
  const endpoint = await serveEndpoint();
  await ask(endpoint, post('{ people { name } }'));
  const source = fanOut(18, 2); // at the maximum depth: the number of its fields exceeds the limit
  expect(source.length).toBeLessThan(1400);
  const from = worked();
  const { status, body } = await ask(endpoint, post(source));
  expect(worked() - from).toBeLessThan(100);
  expect(status).toBe(400);
  expect(body.errors?.[0]?.extensions['code']).toBe('INVALID_REQUEST');
});

test('what tools ask to learn the schema is within the limits', () => {
  expect(
    supergraph.prepare(
      getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
      }),
    ).introspects,
  ).toBe(true);
});

test('the largest documents that are taken are prepared within a second', () => {
  const widest = `{ ${times(12, (r) => `r${r}: book(id: "${r}") { ${times(7, (i) => `a${i}: label(prefix: "${i}")`)} author { name loans { book { readers { name } } } } }`)} }`;
  const from = worked();
  expect(supergraph.prepare(widest).strategy).toBe('plan');
  expect(worked() - from).toBeLessThan(1000);
});

test('trusted documents are not measured', () => {
  const wide = `{ ${times(DEFAULT_DOCUMENT_LIMITS.rootFields + 1, (i) => `a${i}: book(id: "b1") { id }`)} }`;
  expect(() => supergraph.prepare(wide)).toThrow(InvalidDocument);
  expect(() => supergraph.bind(wide)).not.toThrow();
});

const DEEP: [string, string][] = [
  ['lists in a value', `{ book(id: ${'['.repeat(1600)}`],
  ['objects in a value', `{ book(id: ${'{a:'.repeat(1600)}`],
  ['selections', '{a'.repeat(1600)],
  ['selections that end', `${'{a'.repeat(1600)}${'}'.repeat(1600)}`],
  ['lists in a type', `query($a: ${'['.repeat(1600)}Int${']'.repeat(1600)}) { books { id } }`],
];

test.each(DEEP)(
  'a document nested 1600 deep by %s is a bad request, whichever way it comes',
  async (_, source) => {
    const endpoint = await serveEndpoint();
    const refused = async (init: Parameters<typeof ask>[1]): Promise<void> => {
      const { status, body } = await ask(endpoint, init);
      expect({
        status,
        code: body.errors?.[0]?.extensions['code'],
        message: body.errors?.[0]?.message,
      }).toEqual({
        status: 400,
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('nested too deep'),
      });
    };
    await refused(post(source));
    await refused(post(source, { headers: { accept: 'text/event-stream' } }));
    await refused({ path: `?query=${encodeURIComponent(source)}` });
    const component = await listen(
      createSubgraphHandler(createBooks(), { ...subgraphOptions, withoutGateway: caller }),
    );
    onTestFinished(component.close);
    const alone = await fetch(component.url, post(source));
    expect([alone.status, await alone.json()]).toEqual([
      400,
      {
        errors: [
          { message: expect.stringContaining('nested too deep'), extensions: { code: 'INVALID_REQUEST' } },
        ],
      },
    ]);
  },
);
