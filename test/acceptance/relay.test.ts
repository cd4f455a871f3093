// A client of Relay: its compiler takes the schema that the server prints, and what it compiles is answered.
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { setUp, told } from './typed-graph-testkit.ts';

setUp();

const FRAGMENTS = `
  fragment Specimen_one on Specimen @refetchable(queryName: "SpecimenOneQuery") {
    legs state puddle { label } entity { version history(limit: 2) { eventType } }
  }
  fragment Entity_one on Entity @refetchable(queryName: "EntityOneQuery") { entityType version }
  fragment Puddle_specimens on Puddle
  @refetchable(queryName: "PuddleSpecimensQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 1 }, after: { type: "String" }) {
    referencedBy {
      specimenByPuddle(first: $first, after: $after, orderBy: "id")
        @connection(key: "Puddle_specimenByPuddle") { edges { node { id ...Specimen_one } } }
    }
  }
  query SpecimenListQuery($where: SpecimenWhere) {
    typed { specimenList(where: $where, first: 5) { totalCount edges { node { ...Specimen_one } } } }
    node(id: "r1") { ...Specimen_one @alias(as: "specimen") ...Entity_one @alias(as: "generic") }
  }
  mutation SpecimenCreateMutation($input: SpecimenCreateInput!) {
    typed { createSpecimen(input: $input) { ...Specimen_one } }
  }
  subscription SpecimenSubscription { typed { specimenChanged { event { eventType } node { ...Specimen_one } } } }`;

let folder: string;
/** What was compiled: the text that the client sends, by the operation's name. */
let texts: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = scratchDirectory('relay');
  await mkdir(path.join(folder, 'src'), { recursive: true });
  const schema = buildClientSchema(
    await told<IntrospectionQuery>(getIntrospectionQuery({ specifiedByUrl: true })),
  );
  await writeFile(path.join(folder, 'schema.graphql'), printSchema(schema));
  const definitions = FRAGMENTS.split(/^ {2}(?=fragment|query|mutation|subscription)/m).filter((d) =>
    d.trim(),
  );
  const tags = definitions.map((definition, i) => `export const d${i} = graphql\`${definition}\`;\n`);
  await writeFile(path.join(folder, 'src', 'Specimen.ts'), tags.join(''));
  // names of operations begin with that of their file
  await writeFile(
    path.join(folder, 'relay.config.json'),
    JSON.stringify({
      src: './src',
      schema: './schema.graphql',
      language: 'typescript',
      eagerEsModules: true,
      relativizeJsModulePaths: true,
    }),
  );
  const compiler = path.join(projectRoot, 'node_modules', 'relay-compiler', 'cli.js');
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder });
  const made = path.join(folder, 'src', '__generated__');
  const files = await Promise.all(
    (await readdir(made)).map(async (file): Promise<[string, string]> => [
      file.replace('.graphql.ts', ''),
      await readFile(path.join(made, file), 'utf8'),
    ]),
  );
  texts = new Map(
    files.flatMap(([name, source]) => {
      const [, text] = /"text": (".*")/.exec(source) ?? [];
      return text === undefined ? [] : [[name, JSON.parse(text) as string]];
    }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sent = (name: string, variables: Record<string, unknown>): Promise<unknown> =>
  told(texts.get(name) ?? `nothing was compiled for ${name}`, variables);

test('fragments with @refetchable compile, and what they compile to is answered', async () => {
  await told('mutation { typed { createPuddle(input: {id: "rp", label: "north"}) { id } } }');
  for (const id of ['r1', 'r2'])
    expect(await sent('SpecimenCreateMutation', { input: { id, puddle: 'rp', legs: 6 } })).toMatchObject({
      typed: { createSpecimen: { id, legs: 6, state: 'fresh', puddle: { label: 'north' } } },
    });
  const one = { __typename: 'Specimen', id: 'r1', legs: 6, entity: { version: 1 } };
  expect(await sent('SpecimenOneQuery', { id: 'r1' })).toMatchObject({ node: one });
  expect(await sent('EntityOneQuery', { id: 'r1' })).toMatchObject({
    node: { __typename: 'Entity', id: 'r1', entityType: 'Specimen' },
  });
  expect(await sent('SpecimenListQuery', { where: { legs: { eq: 6 } } })).toMatchObject({
    typed: { specimenList: { totalCount: 2, edges: [{ node: { id: 'r1' } }, { node: { id: 'r2' } }] } },
    node: one,
  });
});

test('a connection is paged by the query that is compiled for its fragment', async () => {
  interface Page {
    node: {
      referencedBy: {
        specimenByPuddle: {
          edges: { node: { id: string } }[];
          pageInfo: { endCursor: string; hasNextPage: boolean };
        };
      };
    };
  }
  const page = async (after: string | null): Promise<Page['node']['referencedBy']['specimenByPuddle']> => {
    const answer = (await sent('PuddleSpecimensQuery', { id: 'rp', first: 1, after })) as Page; // JSON
    return answer.node.referencedBy.specimenByPuddle;
  };
  const first = await page(null);
  expect(first).toMatchObject({ edges: [{ node: { id: 'r1' } }], pageInfo: { hasNextPage: true } });
  expect(await page(first.pageInfo.endCursor)).toMatchObject({
    edges: [{ node: { id: 'r2' } }],
    pageInfo: { hasNextPage: false },
  });
});
