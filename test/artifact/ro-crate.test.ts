// Any produced entity exports as a Workflow Run Crate (https://w3id.org/ro/wfrun/workflow/0.5) with its
// provenance.
import { expect, test } from 'vitest';
import { type Crate, holdAgainstProfiles } from './ro-crate-shapes.ts';
import {
  addRule,
  addSchema,
  canRun,
  GREET,
  GREETING,
  produce,
  shell,
  startProducer,
} from './production-testkit.ts';
import type { TestServer } from '../testkit/server.ts';
import { field } from './schema-field.ts';
import { canary, sha256 } from './registration-testkit.ts';

type Node = Record<string, unknown> & { '@id': string; '@type': string | string[] };

/** Every `@id` that a node references. */
const references = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(references);
  const { '@id': id } = value as { '@id'?: unknown };
  return typeof id === 'string' && Object.keys(value).length === 1
    ? [id]
    : Object.values(value).flatMap(references);
};

const ECHO = shell(
  '(cat $(inputs.greeting.path); echo again) > out.txt',
  'greeting: File\nsample: string\ntimes: {type: int, default: 1}',
  "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
);

/** An entity that was made from another one's file. */
async function producedEcho(server: TestServer) {
  await addSchema(server, GREETING);
  await addSchema(server, { ...GREETING, name: 'Echo' });
  await addRule(server, 'greet', GREET, {
    produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  });
  await addRule(server, 'echo', ECHO, {
    description: 'Says it again.',
    produces: { entity_type: 'Echo', match: { sample: '{sample}' } },
    requires: [{ ref: 'Greeting' }],
  });
  const { body } = await produce(server, { entity_type: 'Echo', criteria: { sample: 's' } });
  return body.entity as { readonly id: string; readonly uri: string };
}

test.skipIf(!canRun)(
  'a produced entity is a crate: workflow, run, inputs and outputs with their checksums, every reference led to',
  async () => {
    await using server = await startProducer();
    const entity = await producedEcho(server);

    const { status, body } = await server.rest('GET', `/api/v1/artifact/crates/${entity.id}`);
    expect(status).toBe(200);
    const nodes = new Map((body['@graph'] as Node[]).map((node) => [node['@id'], node]));
    expect(nodes.size).toBe(body['@graph'].length);
    const outside = ['https://w3id.org/ro/crate/1.1', 'https://www.commonwl.org/'];
    for (const id of references([...nodes.values()].map(({ '@id': _, ...rest }) => rest)))
      if (!outside.includes(id)) expect(nodes.has(id), id).toBe(true);

    expect(nodes.get('ro-crate-metadata.json')).toMatchObject({
      '@type': 'CreativeWork',
      about: { '@id': './' },
    });
    const root = nodes.get('./');
    expect(root).toMatchObject({
      '@type': 'Dataset',
      name: 'Echo, made by echo@1',
      description: 'Says it again.',
      conformsTo: expect.arrayContaining([{ '@id': 'https://w3id.org/ro/wfrun/workflow/0.5' }]),
      datePublished: expect.any(String),
    });
    const workflow = nodes.get((root?.['mainEntity'] as Node)['@id']);
    expect(workflow).toMatchObject({
      '@type': ['File', 'SoftwareSourceCode', 'ComputationalWorkflow'],
      text: ECHO,
      programmingLanguage: expect.anything(),
      input: [{ '@id': '#param-in-greeting' }, { '@id': '#param-in-sample' }, { '@id': '#param-in-times' }],
    });
    expect(nodes.get('#param-in-times')).toMatchObject({
      '@type': 'FormalParameter',
      additionalType: 'Integer',
      valueRequired: false,
    });
    const action = [...nodes.values()].find((node) => node['@type'] === 'CreateAction');
    expect(action).toMatchObject({
      instrument: { '@id': workflow?.['@id'] },
      agent: { '@id': '#agent-user%3Aadmin' },
      actionStatus: 'http://schema.org/CompletedActionStatus',
      startTime: expect.any(String),
      endTime: expect.any(String),
    });
    const [input] = (action?.['object'] as Node[])
      .map((one) => nodes.get(one['@id']))
      .filter((node) => node?.['@type'] === 'File');
    expect(input).toMatchObject({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      contentSize: '8',
      exampleOfWork: { '@id': '#param-in-greeting' },
    });
    expect(nodes.get(entity.uri)).toMatchObject({
      '@type': 'File',
      name: 'out.txt',
      sha256: entity.uri.slice(-64),
      exampleOfWork: { '@id': '#param-out-uri' },
    });
    expect(nodes.get(`#entity-${entity.id}`)).toMatchObject({
      identifier: entity.id,
      hasPart: [{ '@id': entity.uri }],
    });

    expect(holdAgainstProfiles(body as Crate)).toEqual({ must: [], should: ['#operator: has a url'] });

    await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Echo', id: 'foreign', data: { uri: 'https://x.test/y', sample: 'z' } },
    });
    for (const id of ['foreign', 'never'])
      expect((await server.rest('GET', `/api/v1/artifact/crates/${id}`)).status).toBe(404);
  },
);

type Web = Awaited<ReturnType<typeof canary>>;

/** A workflow of a document beside its tool, which joins the files of an entity. */
async function addJoin(server: TestServer, web: Web, pages: Record<string, string>): Promise<void> {
  await addSchema(server, {
    name: 'Run',
    version: '1',
    fields: [
      field('name', 'string'),
      field('reads', 'uri'),
      field('lookup', 'uri'),
      field('parts', 'uri', { many: true }),
    ],
  });
  await addSchema(server, {
    name: 'Joined',
    version: '1',
    fields: [field('name', 'string'), field('uri', 'uri'), field('log', 'uri'), field('lines', 'int')],
  });
  const tool = shell(
    'cat $(inputs.reads.path) $(inputs.lookup.path) > joined.txt; cat $(inputs.parts[1].path) $(inputs.parts[0].path) > log.txt',
    'reads: File\nlookup: File\nparts: File[]\nname: string',
    "uri: {type: File, outputBinding: {glob: joined.txt}}\nlog: {type: File, outputBinding: {glob: log.txt}}\nname: {type: string, outputBinding: {outputEval: '$(inputs.name)'}}\nunused: {type: int, outputBinding: {outputEval: '$(1)'}}\nlines: {type: int?, outputBinding: {outputEval: '$(null)'}}",
  );
  const flow = `cwlVersion: v1.2\nclass: Workflow\ninputs: {reads: File, lookup: File, parts: "File[]", name: string}\noutputs:\n${['uri: File', 'log: File', 'name: string', 'lines: int?'].map((one) => `  ${one.split(': ')[0]}: {type: "${one.split(': ')[1]}", outputSource: join/${one.split(': ')[0]}}\n`).join('')}steps:\n  join: {run: tool.cwl, in: {reads: reads, lookup: lookup, parts: parts, name: name}, out: [uri, log, name, lines]}\n`;
  Object.assign(pages, { '/w/main.cwl': flow, '/w/tool.cwl': tool });
  const registered = await server.rest('POST', '/api/v1/artifact/rules', {
    body: {
      name: 'join',
      execute: { cwl_url: web.url('/w/main.cwl') },
      produces: { entity_type: 'Joined', match: { name: '{name}' } },
      requires: [{ ref: 'Run(name={name})' }],
    },
  });
  expect(registered.status, JSON.stringify(registered.body)).toBe(201);
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: {
      entity_type: 'Run',
      id: 'run',
      data: {
        name: 'n',
        reads: web.url('/reads.fq'),
        lookup: web.url('/index.csv'),
        parts: [web.url('/reads.fq'), web.url('/index.csv')],
      },
    },
  });
}

test.skipIf(!canRun)(
  'two files of one entity are told apart, each by its field, as they were given; one that has changed since is noticed',
  async () => {
    const pages: Record<string, string> = { '/reads.fq': 'the reads', '/index.csv': 'an,index' };
    await using web = await canary(pages);
    await using server = await startProducer(
      'artifact: {allow_networks: [127.0.0.1/32], crates: {license: "https://creativecommons.org/licenses/by/4.0/", license_name: CC BY 4.0, publisher: {name: Institute, url: "https://example.org"}}}\n',
    );
    await addJoin(server, web, pages);
    const { body: made } = await produce(server, { entity_type: 'Joined', criteria: { name: 'n' } });
    expect(made, JSON.stringify(made.error)).toMatchObject({ status: 'completed' });

    const { body } = await server.rest('GET', `/api/v1/artifact/crates/${made.entity.id}`);
    expect(holdAgainstProfiles(body as Crate)).toEqual({ must: [], should: [] });
    const nodes = new Map((body['@graph'] as Node[]).map((node) => [node['@id'], node]));
    expect(nodes.get(web.url('/reads.fq'))).toMatchObject({
      name: 'reads.fq',
      contentSize: '9',
      sha256: sha256('the reads').slice(7),
      encodingFormat: 'text/plain',
      exampleOfWork: [{ '@id': '#param-in-reads' }, { '@id': '#param-in-parts' }],
    });
    expect(nodes.get(web.url('/index.csv'))).toMatchObject({
      name: 'index.csv',
      contentSize: '8',
      sha256: sha256('an,index').slice(7),
      encodingFormat: 'text/csv',
    });
    expect([
      nodes.get(made.entity.fields.uri)?.['name'],
      nodes.get(made.entity.fields.log)?.['name'],
    ]).toEqual(['joined.txt', 'log.txt']);
    expect(nodes.get(web.url('/w/main.cwl'))).toMatchObject({
      '@type': ['File', 'SoftwareSourceCode', 'ComputationalWorkflow', 'HowTo'],
      hasPart: [{ '@id': `${web.url('/w/tool.cwl')}#part-1` }],
      version: '1',
    });
    expect([...nodes.values()].find((node) => node['@type'] === 'HowToStep')).toMatchObject({
      name: 'join',
      position: '1',
      workExample: { '@id': `${web.url('/w/tool.cwl')}#part-1` },
    });
    expect(
      [...nodes.values()].find((node) =>
        String(node['@id']).startsWith('https://github.com/common-workflow-language/cwltool'),
      ),
    ).toMatchObject({ '@type': 'SoftwareApplication', softwareVersion: expect.stringMatching(/^\d/) });
    expect(
      (
        await server.database.pool.query(
          `SELECT field, source FROM artifact.artifact_entity WHERE entity_id = 'run' ORDER BY field`,
        )
      ).rows,
    ).toEqual(
      expect.arrayContaining([
        { field: 'lookup', source: web.url('/index.csv') },
        { field: 'reads', source: web.url('/reads.fq') },
      ]),
    );

    pages['/index.csv'] = 'changed!';
    await server.rest('DELETE', '/api/v1/artifact/cache/*');
    expect((await produce(server, { entity_type: 'Joined', criteria: { name: 'n' } })).body).toMatchObject({
      status: 'failed',
      error: { code: 'source_changed', details: { expected: sha256('an,index'), found: sha256('changed!') } },
    });
  },
);
