// Any produced entity exports as a Workflow Run Crate (https://w3id.org/ro/wfrun/workflow/0.5) with its provenance.
import { expect, test } from 'vitest';
import { addRule, addSchema, canRun, GREET, GREETING, produce, shell, startProducer } from './production-testkit.ts';

type Node = Record<string, unknown> & { '@id': string; '@type': string | string[] };

/** Every `@id` that a node refers to. */
const references = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(references);
  const { '@id': id } = value as { '@id'?: unknown };
  return typeof id === 'string' && Object.keys(value).length === 1 ? [id] : Object.values(value).flatMap(references);
};

test.skipIf(!canRun)('a produced entity is a crate: workflow, run, inputs and outputs with their checksums, every reference led to', async () => {
  await using server = await startProducer();
  await addSchema(server, GREETING);
  await addSchema(server, { ...GREETING, name: 'Echo' });
  await addRule(server, 'greet', GREET, { produces: { entity_type: 'Greeting', match: { sample: '{sample}' } } });
  const echo = shell('(cat $(inputs.greeting.path); echo again) > out.txt', 'greeting: File\nsample: string\ntimes: {type: int, default: 1}', "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}");
  await addRule(server, 'echo', echo, { description: 'Says it again.', produces: { entity_type: 'Echo', match: { sample: '{sample}' } }, requires: [{ ref: 'Greeting' }] });
  const { body: { entity } } = await produce(server, { entity_type: 'Echo', criteria: { sample: 's' } });

  const { status, body } = await server.rest('GET', `/api/v1/artifact/crates/${entity.id}`);
  expect(status).toBe(200);
  const nodes = new Map((body['@graph'] as Node[]).map((node) => [node['@id'], node]));
  expect(nodes.size).toBe(body['@graph'].length);
  const outside = ['https://w3id.org/ro/crate/1.1', 'https://www.commonwl.org/'];
  for (const id of references([...nodes.values()].map(({ '@id': _, ...rest }) => rest))) if (!outside.includes(id)) expect(nodes.has(id), id).toBe(true);

  expect(nodes.get('ro-crate-metadata.json')).toMatchObject({ '@type': 'CreativeWork', about: { '@id': './' } });
  const root = nodes.get('./');
  expect(root).toMatchObject({ '@type': 'Dataset', name: 'Echo, made by echo@1', description: 'Says it again.', conformsTo: expect.arrayContaining([{ '@id': 'https://w3id.org/ro/wfrun/workflow/0.5' }]), datePublished: expect.any(String) });
  const workflow = nodes.get((root?.['mainEntity'] as Node)['@id']);
  expect(workflow).toMatchObject({ '@type': ['File', 'SoftwareSourceCode', 'ComputationalWorkflow'], text: echo, programmingLanguage: expect.anything(), input: [{ '@id': '#param-in-greeting' }, { '@id': '#param-in-sample' }, { '@id': '#param-in-times' }] });
  expect(nodes.get('#param-in-times')).toMatchObject({ '@type': 'FormalParameter', additionalType: 'Integer', valueRequired: false });
  const action = [...nodes.values()].find((node) => node['@type'] === 'CreateAction');
  expect(action).toMatchObject({ instrument: { '@id': workflow?.['@id'] }, agent: { '@id': '#agent-user%3Aadmin' }, actionStatus: 'http://schema.org/CompletedActionStatus', startTime: expect.any(String), endTime: expect.any(String) });
  const [input] = (action?.['object'] as Node[]).map((one) => nodes.get(one['@id'])).filter((node) => node?.['@type'] === 'File');
  expect(input).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), contentSize: '8', exampleOfWork: { '@id': '#param-in-greeting' } });
  expect(nodes.get(entity.uri)).toMatchObject({ '@type': 'File', name: 'out.txt', sha256: entity.uri.slice(-64), exampleOfWork: { '@id': '#param-out-uri' } });
  expect(nodes.get(`#entity-${entity.id}`)).toMatchObject({ identifier: entity.id, hasPart: [{ '@id': entity.uri }] });

  await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Echo', id: 'foreign', data: { uri: 'https://x.test/y', sample: 'z' } } });
  for (const id of ['foreign', 'never']) expect((await server.rest('GET', `/api/v1/artifact/crates/${id}`)).status).toBe(404);
});
