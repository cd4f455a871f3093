// docs/reference/metadata.md#why: what components tell the gateway of causal chains leads to hidden nodes too, and is nothing
// for members of some projects; the gateway leaves these nodes out.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { askWhy, ingestSample } from './why-testkit.ts';

const CONTENT = 'of beta';
const HASH = createHash('sha256').update(CONTENT).digest('hex');
const SUBJECTS = ['version:1:theirs', 'version:2:theirs', `file:sha256:${HASH}`];
const DIRECTIONS = ['FORWARD', 'BACKWARD'];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const fields = [
    { name: 'project', field_type: 'string' },
    { name: 'label', field_type: 'string' },
    { name: 'uri', field_type: 'uri' },
  ];
  await server.rest('POST', '/api/v1/metadata/schemas', { body: { name: 'Sample', version: '1', fields } });
  await ingestSample(server, 'theirs', { project: 'beta' });
  const put = await server.rest('PUT', `/api/v1/artifact/files/${HASH}?entity_id=theirs&field=uri`, {
    body: CONTENT,
    headers: { 'content-type': 'text/plain' },
  });
  if (put.status !== 201) throw new Error(put.text);
});
afterAll(() => server[Symbol.asyncDispose]());

const linksOf = async (component: string, key: string): Promise<unknown[]> =>
  Promise.all(
    DIRECTIONS.map(async (direction) => {
      const { body } = await server.graphql(
        `query ($keys: [ID!]!, $direction: CausalDirection!) { ${component}Links(keys: $keys, direction: $direction, limit: 10) }`,
        { keys: SUBJECTS, direction },
        { key },
      );
      return body.errors?.[0].extensions.code ?? body.data[`${component}Links`].links;
    }),
  );

test.each(['metadata', 'workflow', 'artifact'])('%s', async (component) => {
  for (const role of ['viewer', 'admin', 'service']) {
    const key = await server.newKey({ role, project: 'alpha' });
    expect(await linksOf(component, key)).toEqual(DIRECTIONS.map(() => 'PROJECT_SCOPE_DENIED'));
  }
  const all = await linksOf(component, await server.newKey({ role: 'viewer' }));
  expect(all.map(Array.isArray)).toEqual([true, true]);
  if (component === 'artifact') expect(JSON.stringify(all)).toContain('STORED');
});

test('the chain itself is told to members of one project, without what is hidden', async () => {
  const [alpha, beta] = await Promise.all(
    ['alpha', 'beta'].map((project) => server.newKey({ role: 'viewer', project })),
  );
  const kinds = async (key = '') =>
    (await askWhy(server, 'version:2:theirs', { direction: 'FORWARD' }, key))?.nodes.map(
      ({ kind }) => kind,
    ) ?? null;
  expect(await kinds(beta)).toContain('FILE');
  expect(await kinds(alpha)).toBeNull();
});
