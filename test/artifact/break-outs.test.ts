// Break-outs of a tool from the sandbox, tried one by one, under any account of the server.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CwltoolSettings } from '../../subgraphs/artifact/runners/cwltool-command.ts';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import type { RunOutcome } from '../../subgraphs/artifact/runners/runner.ts';
import { findSandbox, sandboxKind } from '../../subgraphs/artifact/runners/sandbox.ts';
import { canRun, cwltoolSettings, NOWHERE, shell } from './production-testkit.ts';

const sandbox = await sandboxKind();
const isGuarded = canRun && sandbox === 'bubblewrap';
if (!isGuarded)
  console.warn(
    `SKIPPED: bubblewrap cannot be used here (the sandbox is: ${sandbox}): what it guards is not tested (Debian: apt-get install bubblewrap)`,
  );

let root: string;
let count = 0;
let listening: http.Server;
let outcomes: Record<string, string> = {};

async function run(
  command: string,
  settings: Partial<CwltoolSettings> = {},
  {
    inputs = {},
    network = false,
    outputs = 'out: {type: File, outputBinding: {glob: out.txt}}',
    declared = 'x: File?',
  }: { inputs?: Record<string, unknown>; network?: boolean; outputs?: string; declared?: string } = {},
): Promise<RunOutcome & { readonly root: string }> {
  const directory = path.join(root, `run-${++count}`);
  await mkdir(directory, { mode: 0o700 });
  const outcome = await new CwltoolRunner(
    cwltoolSettings(settings),
    { cores: 1, ram: 2 ** 31, disk: 2 ** 28, timeSeconds: 120 },
    NOWHERE,
  ).run(
    {
      id: String(count),
      main: 'https://inline.invalid/w.cwl',
      version: 'v1.2',
      documents: [{ url: 'https://inline.invalid/w.cwl', content: shell(command, declared, outputs) }],
      inputs,
      network,
      images: null,
      onLog: () => undefined,
    },
    directory,
    new AbortController().signal,
  );
  return { ...outcome, root: directory };
}
const told = (outcome: { readonly root: string }): Promise<string> =>
  readFile(path.join(outcome.root, 'outputs', 'out.txt'), 'utf8');

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'cairn-break-outs-'));
  if (!isGuarded) return;
  process.env['CAIRN_TEST_SECRET'] = 'the secret of the server';
  await writeFile(path.join(root, 'admin-key'), 'secret', { mode: 0o600 });
  listening = http.createServer((_, response) => response.end('metrics')).listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const { port } = listening.address() as { port: number };
  const script = readFileSync(path.join(import.meta.dirname, 'break-outs.py')).toString('base64');
  const outcome = await run(
    `echo ${script} | base64 -d > try.py; python3 try.py ${path.join(root, 'admin-key')} ${process.pid} 127.0.0.1:${port} > out.txt`,
  );
  expect(outcome, outcome.log).toMatchObject({ ok: true });
  outcomes = JSON.parse(await told(outcome)) as Record<string, string>;
});
afterAll(async () => {
  listening?.close();
  delete process.env['CAIRN_TEST_SECRET'];
  await rm(root, { recursive: true, force: true });
});

const refused = expect.stringMatching(/^(?:EPERM|EACCES|ENOENT|EROFS|EINVAL|failed|ENOTDIR)$/);
const ofThem = (...names: readonly string[]) =>
  Object.fromEntries(
    Object.entries(outcomes).filter(([name]) =>
      names.some((one) => name === one || name.startsWith(`${one} `)),
    ),
  );
const all = (found: Record<string, string>, what: unknown) =>
  Object.fromEntries(Object.keys(found).map((name) => [name, what]));

test.skipIf(!isGuarded)('a tool mounts nothing anew: /usr stays as it is, whoever runs the server', () => {
  const found = ofThem(
    'remount',
    'mount',
    'fsopen',
    'open_tree',
    'umount',
    'pivot_root',
    'chroot',
    'open_by_handle_at',
  );
  expect(Object.keys(found).length).toBe(9);
  expect(found).toEqual(all(found, refused));
});

test.skipIf(!isGuarded)('a tool has no capabilities and no other account, and cannot get one', () => {
  expect(outcomes).toMatchObject({
    CapPrm: '0000000000000000',
    CapEff: '0000000000000000',
    CapBnd: '0000000000000000',
    CapAmb: '0000000000000000',
    NoNewPrivs: '1',
    setuid: refused,
    'set-user-id': refused,
    su: refused,
  });
  expect(outcomes['uid']).not.toBe('0');
});

test.skipIf(!isGuarded)(
  'a tool writes only in its own directory, and reads neither secrets nor the data folder',
  () => {
    const found = ofThem('write');
    expect(Object.keys(found).length).toBeGreaterThanOrEqual(10);
    expect(found).toEqual(all(found, refused));
    expect(outcomes).toMatchObject({
      shadow: refused,
      secret: refused,
      'list /root': expect.stringMatching(/^(?:none|EACCES)$/),
      devices: 'none',
      'mknod disk': refused,
      'mknod memory': refused,
      fifo: 'done',
    });
  },
);

test.skipIf(!isGuarded)('a tool reads and changes nothing of the kernel: no keys, settings or memory', () => {
  expect(ofThem('read')).toEqual(
    all(ofThem('read'), expect.stringMatching(/^(?:EPERM|EACCES|ENOENT|empty)$/)),
  );
  expect(outcomes['sys']).toBe('False');
});

test.skipIf(!isGuarded)('a tool sees only its own processes: neither the server nor its environment', () => {
  expect(outcomes).toMatchObject({
    'server is seen': 'False',
    'secret in an environment': 'False',
    'signal the server': expect.stringMatching(/^(?:ESRCH|done)$/),
    ptrace: 'EPERM',
    process_vm_readv: 'EPERM',
    kcmp: 'EPERM',
    terminal: expect.not.stringMatching(/^done$/),
  });
});

test.skipIf(!isGuarded || (process.arch !== 'x64' && process.arch !== 'arm64'))(
  'calls that only break-outs need are refused',
  () => {
    const names = [
      'unshare users',
      'unshare mounts',
      'unshare network',
      'unshare processes',
      'clone users',
      'setns',
      'bpf',
      'perf_event_open',
      'userfaultfd',
      'io_uring_setup',
      'init_module',
      'finit_module',
      'kexec_load',
      'reboot',
      'syslog',
      'add_key',
      'request_key',
      'keyctl',
      'swapon',
      'sethostname',
      'settimeofday',
    ];
    expect(Object.fromEntries(names.map((name) => [name, outcomes[name]]))).toEqual(
      Object.fromEntries(names.map((name) => [name, 'EPERM'])),
    );
    expect(outcomes).toMatchObject({ Seccomp: '2', clone3: 'ENOSYS', memfd_create: 'ENOSYS' });
  },
);

test.skipIf(!isGuarded)('a tool reaches no network, and opens no raw or packet sockets', () => {
  expect(outcomes).toMatchObject({
    'connect host': expect.stringMatching(/^(?:ECONNREFUSED|ENETUNREACH)$/),
    'connect elsewhere': 'ENETUNREACH',
    'socket packet': expect.stringMatching(/^(?:EPERM|EAFNOSUPPORT)$/),
    'raw socket': refused,
  });
  if (outcomes['Seccomp'] === '2')
    expect(outcomes).toMatchObject({
      'socket vsock': 'EAFNOSUPPORT',
      'socket alg': 'EAFNOSUPPORT',
      'socket bluetooth': 'EAFNOSUPPORT',
    });
});

test.skipIf(!isGuarded)(
  'files that only the server may read are read where they are inputs, and cannot be changed',
  async () => {
    const held = path.join(root, 'held');
    await mkdir(held, { mode: 0o700 });
    await writeFile(path.join(held, 'sample.txt'), 'of the server alone\n', { mode: 0o600 });
    const file = { class: 'File', path: path.join(held, 'sample.txt'), basename: 'sample.txt' };
    const outcome = await run(
      'cat $(inputs.x.path) > out.txt; echo changed > $(inputs.x.path) || true',
      {},
      { inputs: { x: file } },
    );
    expect(outcome, outcome.log).toMatchObject({ ok: true });
    expect(await told(outcome)).toBe('of the server alone\n');
    expect(await readFile(file.path, 'utf8')).toBe('of the server alone\n');
  },
);

test.skipIf(!isGuarded)('data in /tmp and in shared memory counts as disk usage and is limited', async () => {
  for (const place of ['/tmp', '/dev/shm']) {
    const outcome = await run(`for i in 1 2 3; do head -c 100m /dev/zero > ${place}/$i; done; sleep 60`);
    expect(outcome, outcome.log).toMatchObject({
      ok: false,
      fault: 'limit_exceeded',
      message: expect.stringContaining('bytes of disk'),
    });
  }
});

test.skipIf(!isGuarded)('tools do not run as root where the server does', async () => {
  const { account } = await findSandbox();
  expect(account === null).toBe(process.getuid?.() !== 0);
});
