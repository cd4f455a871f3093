// `cairn start` and `cairn init`: their output and exit.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { Config } from '../../platform/config/load-config.ts';
import { begin, type CommandLine, run, type Started } from './command-line.ts';
import { waitFor } from '../testkit/wait-for.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-start-'));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(
  path.join(directory, 'gateway.yaml'),
  `server: {port: 9191, public_url: "https://cairn.example.org/at"}
observability: {log_level: silent}
components: {metadata: {url: "http://127.0.0.1:9192"}, workflow: {url: "http://127.0.0.1:9193"}}
`,
);
afterEach(() => {
  vi.useRealTimers();
});

const URL = 'http://127.0.0.1:9191';

interface Servers {
  readonly line: CommandLine;
  readonly events: string[];
  readonly configs: Config[];
}

/** Servers that record when they are started and closed; `close` lasts until `closed` is settled. */
function servers(
  options: {
    adminKeyPath?: string;
    url?: string;
    closed?: Promise<void>;
    failing?: string;
    failure?: Error;
  } = {},
): Servers {
  const events: string[] = [];
  const configs: Config[] = [];
  const starter =
    (name: string) =>
    ({ config }: { config: Config }) => {
      configs.push(config);
      if (options.failing === name)
        return Promise.reject(
          options.failure ?? new Error('another Cairn already runs on this data directory'),
        );
      events.push(`start ${name}`);
      return Promise.resolve({
        url: options.url ?? URL,
        ...(options.adminKeyPath === undefined ? {} : { adminKeyPath: options.adminKeyPath }),
        retire: async () => undefined,
        close: async () => {
          events.push(`close ${name}`);
          await options.closed;
        },
      });
    };
  const entries = {
    'router/main.ts': { startPlatform: starter('platform'), startRouter: starter('router') },
    'standalone/metadata.ts': { startComponent: starter('metadata') },
    'standalone/workflow.ts': { startComponent: starter('workflow') },
  };
  return { line: { cwd: directory, entries }, events, configs };
}

const ready = (started: Started): Promise<void> =>
  waitFor(() => {
    expect(started.stdout()).not.toBe('');
  });

describe('start', () => {
  test('prints addresses and next steps, and stops cleanly at a signal', async () => {
    const adminKeyPath = path.join(directory, 'served-admin-key');
    writeFileSync(adminKeyPath, 'a key\n');
    const { line, events, configs } = servers({ adminKeyPath });
    const started = begin(['start'], line);
    await ready(started);
    expect(configs[0]?.server.port).toBe(9191);
    for (const text of [
      'https://cairn.example.org/at/console', // for browsers of other machines
      `${URL}/api/v1/`,
      `${URL}/graphql`,
      `${URL}/api/v1/docs`,
      adminKeyPath,
      'npx cairn --help',
      'Ctrl-C',
    ])
      expect(started.stdout()).toContain(text);
    expect(started.stdout()).toContain(
      `  export CAIRN_URL=${URL} CAIRN_KEY=$(cat ${adminKeyPath})\n  npm run example `,
    ); // not where examples are looked up
    started.signal('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(events).toEqual(['start platform', 'close platform']);
  });

  test('a server that cannot be asked for a link is ready all the same', async () => {
    const adminKeyPath = path.join(directory, 'admin-key');
    writeFileSync(adminKeyPath, 'a key\n');
    const started = begin(['start'], servers({ adminKeyPath }).line); // nobody listens there
    await ready(started);
    expect(started.stdout()).toContain('Cairn is ready.');
    expect(started.stdout()).not.toContain('signed in');
    started.signal('SIGTERM');
    expect(await started.ended).toBe(0);
  });

  test.each([
    ['revoked', 'a key\n'],
    ['not there', undefined],
  ])('where the key of the first administrator is %s, it says how to come in', async (_, key) => {
    const adminKeyPath = path.join(directory, 'former-admin-key');
    if (key === undefined) rmSync(adminKeyPath);
    else writeFileSync(adminKeyPath, key);
    const refusing = createServer((_request, response) => {
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":"revoked_token","message":"the API key has been revoked"}');
    });
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    // the server has bound its port
    const { port } = refusing.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const told = begin(['start', '--json'], servers({ adminKeyPath, url }).line);
    await ready(told);
    expect(JSON.parse(told.stdout())).not.toHaveProperty('admin_key_file');
    told.signal('SIGTERM');
    expect(await told.ended).toBe(0);
    const started = begin(['start'], servers({ adminKeyPath, url }).line);
    await ready(started);
    expect(started.stdout()).toContain(`There is no link: ${adminKeyPath} has no valid key. Sign in`);
    expect(started.stdout()).toContain('npx cairn users add <name> --role admin');
    expect(started.stdout()).not.toContain('first administrator');
    expect(started.stdout()).not.toContain('cat ');
    started.signal('SIGTERM');
    expect(await started.ended).toBe(0);
    refusing.close();
  });

  test('with --json prints the addresses as JSON', async () => {
    const adminKeyPath = path.join(directory, 'told-admin-key');
    writeFileSync(adminKeyPath, 'a key\n');
    const started = begin(['start', '--json'], servers({ adminKeyPath }).line);
    await ready(started);
    expect(JSON.parse(started.stdout())).toEqual({
      url: URL,
      api: `${URL}/api/v1/`,
      console: 'https://cairn.example.org/at/console', // for browsers of other machines
      graphql: `${URL}/graphql`,
      docs: `${URL}/api/v1/docs`,
      admin_key_file: adminKeyPath,
    });
    started.signal('SIGINT');
    expect(await started.ended).toBe(0);
  });

  test('runs named components, each once, and closes the last first', async () => {
    const { line, events } = servers();
    const started = begin(['start', 'metadata', 'workflow', 'metadata', 'router'], line);
    await ready(started);
    expect(started.stdout()).toBe(
      `metadata is ready at ${URL}\nworkflow is ready at ${URL}\nrouter is ready at ${URL}\n`,
    );
    started.signal('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(events).toEqual([
      'start metadata',
      'start workflow',
      'start router',
      'close router',
      'close workflow',
      'close metadata',
    ]);
  });

  test('waits for requests in flight; a second signal ends at once, the echo of the first does not', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let finish = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const started = begin(['start'], servers({ closed }).line);
    await waitFor(() => {
      expect(started.stdout()).not.toBe('');
    });
    started.signal('SIGINT');
    vi.advanceTimersByTime(20);
    started.signal('SIGINT');
    expect(started.aborted).toEqual([]);
    vi.advanceTimersByTime(1000);
    started.signal('SIGINT');
    expect(started.aborted).toEqual([130]);
    finish();
    expect(await started.ended).toBe(0);
  });

  test('a failed start is one message and status 1, and what had started is closed', async () => {
    const { line, events } = servers({ failing: 'workflow' });
    const { status, stdout, stderr } = await run(['start', 'metadata', 'workflow'], line);
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      'cairn: could not start: another Cairn already runs on this data directory\n',
    ]);
    expect(events).toEqual(['start metadata', 'close metadata']);
  });

  test.each([
    [
      'a port that is taken',
      { code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 8080 },
      '127.0.0.1:8080 is in use by another program: stop that program, or set another port with CAIRN_PORT or server.port (0 means any free port)',
    ],
    [
      'a port that not everybody may have',
      { code: 'EACCES', syscall: 'listen', address: '::1', port: 80 },
      'this user may not listen on [::1]:80: set a port above 1023 with CAIRN_PORT or server.port',
    ],
    [
      'an address of another machine',
      { code: 'EADDRNOTAVAIL', syscall: 'listen', address: '192.0.2.1', port: 80 },
      '192.0.2.1 is not an address of this machine: change server.host',
    ],
    [
      'a directory of somebody else',
      { code: 'EACCES', syscall: 'mkdir', path: '/x' },
      'as Node says it; set a data directory that this user can write to with CAIRN_DATA_DIR or database.data_dir',
    ],
    [
      'a disk that is full',
      { code: 'ENOSPC', syscall: 'write', path: '/x' },
      'there is no space left on the disk of /x',
    ],
    ['anything else', { code: 'EMFILE' }, 'as Node says it'],
  ])('a start that fails for %s says what to do', async (_, facts, message) => {
    const { status, stderr } = await run(
      ['start'],
      servers({ failing: 'platform', failure: Object.assign(new Error('as Node says it'), facts) }).line,
    );
    expect([status, stderr]).toEqual([1, `cairn: could not start: ${message}\n`]);
  });

  test('a database that cannot be used is one that the configuration names', async () => {
    const failure = Object.assign(new Error('the database h/x cannot be used'), {
      code: 'component_unavailable',
    });
    const { line } = servers({ failing: 'platform', failure });
    const { stderr } = await run(['start'], { ...line, env: { DATABASE_URL: 'postgres://a:b@h/x' } });
    expect(stderr).toBe(
      'cairn: could not start: the database h/x cannot be used; check DATABASE_URL or database.url\n',
    );
  });

  test('a wrong configuration starts nothing', async () => {
    const { line, events } = servers();
    const { status, stderr } = await run(['start'], { ...line, env: { CAIRN_PORT: 'x' } });
    expect([status, events]).toEqual([1, []]);
    expect(stderr).toContain('CAIRN_PORT: must be a number');
  });

  test('says so where authentication is disabled', async () => {
    writeFileSync(
      path.join(directory, 'open.yaml'),
      'auth: {mode: disabled}\nobservability: {log_level: silent}\n',
    );
    const started = begin(['start', '--config', 'open.yaml'], servers().line);
    await ready(started);
    expect(started.stdout()).toContain('everyone who can reach this address has administrator rights');
    started.signal('SIGTERM');
    await started.ended;
  });
});

describe('init', () => {
  test('initialises the store and says where the first key is', async () => {
    const entries = { 'router/main.ts': { initPlatform: () => Promise.resolve({ adminKeyPath: '/k' }) } };
    const { status, stdout } = await run(['init', '--json'], { cwd: directory, entries });
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { initialised: true, store: path.join(directory, 'data'), admin_key_file: '/k' },
    ]);
  });

  test('a store that cannot be reached is one message and status 1', async () => {
    const entries = {
      'router/main.ts': { initPlatform: () => Promise.reject(new Error('connection refused')) },
    };
    expect(await run(['init'], { cwd: directory, entries })).toMatchObject({
      status: 1,
      stderr: 'cairn: the store could not be initialised: connection refused\n',
    });
  });
});
