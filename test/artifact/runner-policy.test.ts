// artifact.runner.sandbox on a machine without bubblewrap: `required` builds nothing and says what to
// install, `preferred` and `off` warn.
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import {
  addRule,
  addSchema,
  canRun,
  cwltoolSettings,
  GREET,
  GREETING,
  NOWHERE,
  produce,
  startProducer,
} from './production-testkit.ts';

vi.mock('../../subgraphs/artifact/runners/sandbox-probe.ts', async (original) => ({
  ...(await original<object>()),
  detectSandbox: () => Promise.resolve({ kind: 'none', account: null }),
}));

const LIMITS = { cores: 1, ram: 2 ** 31, disk: 2 ** 28, timeSeconds: 120 };
const runnerOf = (text: string) =>
  parseConfig(text, '/nowhere/gateway.yaml', { env: {}, cwd: '/nowhere' }).artifact.runner;

test('the sandbox defaults to required in production and preferred in development', () => {
  expect(runnerOf('server: {mode: production}\n')).toMatchObject({
    sandbox: 'required',
    network: 'filtered',
    containerNetwork: 'none',
    readablePaths: [],
  });
  expect(runnerOf('')).toMatchObject({ sandbox: 'preferred' });
  expect(
    runnerOf('server: {mode: production}\nartifact: {runner: {type: cwltool, sandbox: off}}\n'),
  ).toMatchObject({ sandbox: 'off' });
});

test.skipIf(!canRun)(
  'where the sandbox is required and missing, a production is 503 with the package to install, and nothing is queued',
  async () => {
    await using server = await startProducer('artifact: {runner: {type: cwltool, sandbox: required}}\n');
    await addSchema(server, GREETING);
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    const refused = await server.rest('POST', '/api/v1/artifact/produce', {
      body: { entity_type: 'Greeting', criteria: { sample: 'a' } },
    });
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: 'runner_unavailable',
        message: expect.stringMatching(/apt-get install bubblewrap.*artifact\.runner\.sandbox/),
      },
    });
    expect((await server.rest('GET', '/api/v1/artifact/productions')).body.total).toBe(0);
  },
);

test.skipIf(!canRun)(
  'where the sandbox is preferred and missing, or off, tools run with the rights of the server, and the start logs a warning',
  async () => {
    await using server = await startProducer('artifact: {runner: {type: cwltool, sandbox: preferred}}\n');
    await addSchema(server, GREETING);
    await addRule(server, 'greet', GREET, {
      produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
    });
    expect(
      (await produce(server, { entity_type: 'Greeting', criteria: { sample: 'a' } })).body,
    ).toMatchObject({ status: 'completed' });
    for (const sandbox of ['preferred', 'off'] as const)
      expect(await new CwltoolRunner(cwltoolSettings({ sandbox }), LIMITS, NOWHERE).warning()).toMatch(
        /without a sandbox.*gets the rights of this server/,
      );
    expect(
      await new CwltoolRunner(cwltoolSettings({ sandbox: 'required' }), LIMITS, NOWHERE).warning(),
    ).toBeNull();
  },
);

test("places that tools may read are none of the kernel's, of others' secrets or of the data folder, by whatever way they are named", async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'cairn-readable-'));
  try {
    await mkdir(path.join(root, 'data', 'within'), { recursive: true });
    await mkdir(path.join(root, 'references'));
    await symlink(path.join(root, 'data'), path.join(root, 'link'));
    await symlink('/proc', path.join(root, 'kernel'));
    const parse = (place: string, key = 'readable_paths') =>
      parseConfig(
        `database: {data_dir: ./data}\nartifact: {runner: {type: cwltool, ${key}: ["${place}"]}}\n`,
        path.join(root, 'gateway.yaml'),
        { env: {}, cwd: root },
      );
    for (const place of [
      '/',
      '/etc',
      '/root',
      '/proc',
      '/proc/1',
      '/sys/kernel',
      '/dev/mem',
      '/run',
      '/var/run/x',
      '/usr/..',
      `${root}/kernel`,
    ])
      expect(() => parse(place), place).toThrow(/must be neither/);
    for (const place of ['.', 'data', './data/within', `${root}/link`, path.dirname(root)])
      expect(() => parse(place), place).toThrow(/must not contain database.data_dir|must be neither/);
    expect(() => parse('data/within', 'tool_paths')).toThrow(/must not contain database.data_dir/);
    expect(parse('references').artifact.runner).toMatchObject({
      readablePaths: [path.join(root, 'references')],
    });
    expect(runnerOf('artifact: {runner: {type: cwltool, readable_paths: [/etc/fastqc]}}\n')).toMatchObject({
      readablePaths: ['/etc/fastqc'],
    });
  } finally {
    await rm(root, { recursive: true });
  }
});
