// What one start made is there for the next, and nothing depends on it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, graphqlSync, isAbstractType, parse, printSchema, validateSchema } from 'graphql';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createKeptTexts } from '../../platform/kept-texts.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { guardedSchema } from '../../platform/subgraph-schema.ts';
import { compose, type Sdls } from '../../router/execution/compose.ts';
import { GATEWAY_NOUNS } from '../../router/gateway-schema/nouns.ts';
import { ARTIFACT_NOUNS } from '../../subgraphs/artifact/nouns.ts';
import { METADATA_NOUNS } from '../../subgraphs/metadata/nouns.ts';
import { WORKFLOW_NOUNS } from '../../subgraphs/workflow/nouns.ts';

const log = pino({ level: 'silent' });

async function scratch(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kept-texts-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return path.join(directory, 'not', 'made', 'yet');
}

/** A subgraph of its own for each test: a process composes the same SDLs once. */
const graph = (field: string): Sdls => new Map([['one', `type Query { ${field}: Int! }`]]);

async function onlyFile(directory: string): Promise<string> {
  const [name = '', ...others] = await readdir(directory);
  expect(others).toEqual([]); // and no half-written file
  return path.join(directory, name);
}

test('what was kept is used, by whichever process, for the same texts only', async () => {
  const directory = await scratch();
  createKeptTexts(directory, log).keep(['a', 'b'], 'made of a and b');
  expect(createKeptTexts(directory, log).recall(['a', 'b'])).toBe('made of a and b');
  expect(createKeptTexts(directory, log).recall(['ab'])).toBeUndefined();
  await onlyFile(directory);
});

test('a damaged file is made again and replaced', async () => {
  const directory = await scratch();
  const memory = createKeptTexts(directory, log);
  const modules = () => [{ typeDefs: 'type Query { damaged: Int! }', resolvers: {}, permissions: {} }];
  const refused = 'Query.damaged has no entry'; // after the schema was made, and kept
  expect(() => guardedSchema(modules(), memory)).toThrow(refused);
  const file = await onlyFile(directory);
  const whole = await readFile(file, 'utf8');
  await writeFile(file, whole.slice(0, -3));
  expect(() => guardedSchema(modules(), memory)).toThrow(refused);
  expect(await readFile(file, 'utf8')).toBe(whole);
});

test.each([
  ['metadata', METADATA_NOUNS],
  ['workflow', WORKFLOW_NOUNS],
  ['artifact', ARTIFACT_NOUNS],
  ['gateway', GATEWAY_NOUNS],
])("the schema of %s is federation's own, made anew or of what was kept", async (_, nouns) => {
  const memory = createKeptTexts(await scratch(), log);
  const own = buildSubgraphSchema(
    nouns.map(({ typeDefs, resolvers }) => ({ typeDefs: parse(typeDefs), resolvers: resolvers as never })),
  );
  for (const modules of [[...nouns], [...nouns]]) {
    const { schema, sdl } = guardedSchema(modules, memory);
    expect(printSchema(schema)).toBe(printSchema(own));
    expect(validateSchema(schema)).toEqual([]);
    expect(sdl).toBe(printSubgraphSchema(own));
    const serviceOf = (one: GraphQLSchema) => graphqlSync({ schema: one, source: '{ _service { sdl } }' });
    expect(serviceOf(schema)).toEqual(serviceOf(own));
    for (const type of Object.values(own.getTypeMap())) {
      const made = schema.getType(type.name);
      expect(made?.extensions).toEqual(type.extensions); // how references are resolved
      if (isAbstractType(type)) expect(made).toHaveProperty('resolveType');
    }
  }
});

test('a supergraph is composed once for the same SDLs', async () => {
  const directory = await scratch();
  const composed = compose(graph('kept'), createKeptTexts(directory, log));
  const file = await onlyFile(directory);
  const kept = await readFile(file, 'utf8');
  expect(kept).toContain(JSON.stringify(composed.supergraphSdl));
  const later = createKeptTexts(directory, log);
  // a process composes the same SDLs once: only another one asks
  const text = kept.slice(kept.indexOf('\n') + 1).replaceAll('kept:', 'told:');
  const { schema } = compose(graph('asked'), { ...later, recall: () => text });
  expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(['told']);
});

test('every start makes all by itself if the directory cannot be read or written', async () => {
  const directory = await scratch();
  const file = path.dirname(path.dirname(path.dirname(directory)));
  await writeFile(path.join(file, 'taken'), '');
  const memory = createKeptTexts(path.join(file, 'taken', 'below a file'), log);
  expect(compose(graph('nowhere'), memory).supergraphSdl).toContain('nowhere: Int!');
});

test('the newest few are kept', async () => {
  const directory = await scratch();
  const memory = createKeptTexts(directory, log);
  for (let i = 0; i < 40; i++) {
    memory.keep([`${i}`], `made ${i}`);
    for (const name of await readdir(directory)) {
      const file = path.join(directory, name);
      const made = Number(/made (\d+)$/.exec(await readFile(file, 'utf8'))?.[1]);
      await utimes(file, made, made);
    }
  }
  expect(await readdir(directory)).toHaveLength(32);
  expect(memory.recall(['39'])).toBe('made 39');
  expect(memory.recall(['0'])).toBeUndefined();
});

test('what older code made is not used', () => {
  const makers = [
    ...['compose', 'list-sizes', 'planner', 'sole-owners'].map((name) => `router/execution/${name}.ts`),
    ...['printed-schema', 'subgraph-schema'].map((name) => `platform/${name}.ts`),
  ];
  const hash = createHash('sha256');
  for (const file of makers) hash.update(readFileSync(path.join(projectRoot, file)));
  // where what they make has changed, raise FORMAT in compose.ts or subgraph-schema.ts; then put the new hash here
  expect(hash.digest('hex')).toBe('0d9e11ddbee91af8ccfcbc2ad8d33dee40b1157d0fe64de83550f9062fe40584');
});
