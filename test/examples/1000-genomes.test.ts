// `npm run example` as a person runs it: a separate process against a server, twice.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer } from '../testkit/server.ts';

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

function runExample(env: Readonly<Record<string, string>>): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [path.join('scripts', 'run.mjs'), path.join('examples', '1000-genomes', 'load.ts')],
      { cwd: projectRoot, env: { PATH: process.env['PATH'] ?? '', ...env } },
    );
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject).once('close', (status) => resolve({ status, out, errors }));
  });
}

test('the example loads everything once; run again it changes nothing; its questions are answered alike by REST and GraphQL', async () => {
  await using server = await startServer();
  const env = { CAIRN_URL: server.url, CAIRN_KEY: server.key };

  const first = await runExample(env);
  expect(first.errors).toBe('');
  expect(first.status).toBe(0);
  expect(first.out).toContain('Population: 26 created, 0 updated, 0 unchanged');
  expect(first.out).toContain('Sample: 3500 created, 0 updated, 0 unchanged');
  const totals = [...first.out.matchAll(/Both answer the same (\d+):/g)].map((match) => Number(match[1]));
  expect(totals).toEqual([5, 122, 56, 23, 1]);

  const again = await runExample(env);
  expect(again.errors).toBe('');
  expect(again.status).toBe(0);
  expect(again.out).toContain('Population: 0 created, 0 updated, 26 unchanged');
  expect(again.out).toContain('Sample: 0 created, 0 updated, 3500 unchanged');
  expect(again.out).toContain('Nothing changed');

  const { body } = await server.rest('GET', '/api/v1/metadata/entities/sample:NA12878');
  expect(body.data).toMatchObject({
    version: 1,
    data: { family_roles: ['mother', 'child'], father: 'sample:NA12891', mother: 'sample:NA12892' },
  });
});

test('without a server the example says what to do, and ends with status 1', async () => {
  const { status, errors } = await runExample({ CAIRN_URL: 'http://127.0.0.1:1', CAIRN_KEY: 'any' });
  expect(status).toBe(1);
  expect(errors).toMatch(/^No server answers at http:\/\/127\.0\.0\.1:1\. Start one with `npm start`/);
  expect(errors).not.toContain(' at ' + projectRoot);
});

test('without a key the example says where keys are, and ends with status 1', async () => {
  await using server = await startServer();
  const { status, errors } = await runExample({
    CAIRN_URL: server.url,
    CAIRN_DATA_DIR: path.join(server.dataDir, 'elsewhere'),
  });
  expect(status).toBe(1);
  expect(errors).toMatch(/^There is no API key: CAIRN_KEY is not set/);
});

test('where somebody has a type of the same name, the example touches nothing and says what to do', async () => {
  await using server = await startServer();
  const env = { CAIRN_URL: server.url, CAIRN_KEY: server.key };
  const own = {
    name: 'Sample',
    version: '1',
    fields: [{ name: 'tube', field_type: 'string', required: true }],
  };
  expect((await server.rest('POST', '/api/v1/metadata/schemas', { body: own })).status).toBe(200);
  const { status, out, errors } = await runExample(env);
  expect([status, out]).toEqual([1, '']);
  expect(errors).toContain("There is a type Sample here already that is not this example's");
  expect(errors).toContain('CAIRN_URL=http://127.0.0.1:8090');
  const { body } = await server.rest('GET', '/api/v1/metadata/schemas');
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Sample']);
});
