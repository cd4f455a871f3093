// A workflow in container images can access no file of this machine except its inputs, neither through its
// containers nor through cwltool itself.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import { checkEngineCall, type EnginePolicy } from '../../subgraphs/artifact/runners/engine-policy.ts';
import { sandboxKind } from '../../subgraphs/artifact/runners/sandbox.ts';
import { containerStandIn, type StandIn } from './container-stand-in.ts';
import { canRun, cwltoolSettings, NOWHERE, shell } from './production-testkit.ts';

const isGuarded = canRun && (await sandboxKind()) === 'bubblewrap';
if (!isGuarded)
  console.warn(
    'SKIPPED: without cwltool and bubblewrap, what workflows in containers see is not tested (Debian: apt-get install cwltool bubblewrap)',
  );

const IMAGE = 'quay.io/biocontainers/greet:1';
let root: string;
let standIn: StandIn;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'cairn-container-break-outs-'));
  standIn = await containerStandIn(path.join(root, 'engine'), 'docker');
  await writeFile(path.join(root, 'admin-key'), 'the key of the administrator', { mode: 0o600 });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const mount = (source: string, mode = ',readonly') => `--mount=type=bind,source=${source},target=/x${mode}`;

/** Options that would let a container out of what the run may have. */
const breakOuts = (run: string): readonly (readonly string[])[] => [
  [mount('/')],
  [mount('/etc/shadow')],
  [mount('/run/docker.sock')],
  [mount(run)],
  [mount(`${run}/scratch/link`)],
  [mount(`${run}/scratch/link/shadow`)],
  [mount(`${run}/scratch/../../admin-key`)],
  [mount(`${run}/scratch/none`)],
  [mount(`${run}/workflow`, '')],
  [mount(`${root}/engine`, '')],
  [`${mount(`${run}/scratch`)},bind-propagation=shared`],
  [`--mount=type=bind,source=${run}/scratch,source=/,target=/x`],
  ['--mount=type=volume,source=x,target=/x'],
  ['--privileged'],
  ['-v/:/host'],
  ['--volume=/:/host'],
  ['--net=host'],
  ['--pid=host'],
  ['--cap-add=ALL'],
  ['--device=/dev/sda'],
  ['--user=root'],
  ['--read-only=false'],
  ['--security-opt=seccomp=unconfined'],
  ['--entrypoint=sh'],
  ['--cidfile=/etc/cron.d/x.cid'],
  [`--cidfile=${run}/ids/../x.cid`],
  ['--env-file=/etc/shadow'],
  ['-v', '/:/host'],
  ['--env=A'],
];

test('the broker lets an engine run only with the images and files of the run, and no other options', async () => {
  const run = path.join(root, 'policy');
  for (const name of ['scratch', 'outputs', 'ids', 'workflow'])
    await mkdir(path.join(run, name), { recursive: true });
  await writeFile(path.join(run, 'scratch', 'a, "b".txt'), '');
  await writeFile(path.join(run, 'workflow', 'w.cwl'), '');
  await symlink('/etc', path.join(run, 'scratch', 'link'));
  const policy: EnginePolicy = {
    images: [IMAGE],
    network: 'lab',
    writable: [path.join(run, 'scratch'), path.join(run, 'outputs')],
    readable: [path.join(run, 'workflow'), path.join(root, 'engine')],
    ids: path.join(run, 'ids'),
  };
  const asked = (...options: readonly string[]) =>
    checkEngineCall(['run', '-i', ...options, IMAGE, 'sh', '--privileged', '-c', 'true'], policy);
  for (const options of [
    [mount(`${run}/scratch`, '')],
    [mount(`${run}/workflow/w.cwl`)],
    [mount(`${root}/engine`)],
    [`--mount=type=bind,"source=${run}/scratch/a, ""b"".txt",target=/x,readonly`],
    [
      '--workdir=/x',
      '--read-only=true',
      '--net=none',
      '--net=lab',
      '--log-driver=none',
      '--user=65534:65534',
      '--rm',
      `--cidfile=${run}/ids/20260102-1.cid`,
      '--env=A=b c',
      '--gpus=1',
      '--userns=keep-id',
    ],
  ])
    await expect(asked(...options), options.join(' ')).resolves.toBeUndefined();
  for (const options of breakOuts(run)) await expect(asked(...options), options.join(' ')).rejects.toThrow();
  for (const words of [
    ['run', 'alpine', 'sh'],
    ['run'],
    ['pull', 'alpine'],
    ['pull', '--all-tags', IMAGE],
    ['exec', 'x', 'sh'],
    ['build', '/'],
    ['load'],
    ['cp', 'x:/', '/'],
    ['images'],
    ['version'],
    [],
  ])
    await expect(checkEngineCall(words, policy), words.join(' ')).rejects.toThrow();
  for (const words of [
    ['images', '--no-trunc', '--all'],
    ['pull', IMAGE],
  ])
    await expect(checkEngineCall(words, policy)).resolves.toBeUndefined();
});

async function run(
  cwl: string,
): Promise<{ readonly text: string; readonly log: string; readonly ok: boolean }> {
  const directory = await mkdtemp(path.join(root, 'run-'));
  const outcome = await new CwltoolRunner(
    cwltoolSettings({ toolPaths: [standIn.directory], containerEngine: 'docker' }),
    { cores: 1, ram: 2 ** 32, disk: 2 ** 28, timeSeconds: 120 },
    NOWHERE,
  ).run(
    {
      id: 'x',
      main: 'https://inline.invalid/w.cwl',
      version: 'v1.2',
      documents: [{ url: 'https://inline.invalid/w.cwl', content: cwl }],
      inputs: {},
      network: false,
      images: { images: [IMAGE], otherContainers: [] },
      onLog: () => undefined,
    },
    directory,
    new AbortController().signal,
  );
  return {
    ok: outcome.ok,
    log: outcome.log,
    text: await readFile(path.join(directory, 'outputs', 'out.txt'), 'utf8').catch(() => ''),
  };
}

const hint = `hints: {DockerRequirement: {dockerPull: ${IMAGE}}}\n`;
const out = 'out: {type: File, outputBinding: {glob: out.txt}}';

test.skipIf(!isGuarded)(
  'files that a workflow document names itself are neither mounted, copied nor read, wherever they are',
  async () => {
    for (const place of [path.join(root, 'admin-key'), '/etc/shadow']) {
      const given = `x: {type: File, loadContents: true, default: {class: File, path: "${place}"}}`;
      const read = await run(shell('echo $(inputs.x.contents) > out.txt', given, out, hint));
      expect(read.ok, read.log).toBe(false);
      const mounted = await run(
        shell('cat $(inputs.x.path) > out.txt', given.replace('loadContents: true, ', ''), out, hint),
      );
      expect(mounted.ok, mounted.log).toBe(false);
      const copied = await run(
        shell('cat copy > out.txt', 'x: string?', out, hint).replace(
          'requirements:\n',
          `requirements:\n  InitialWorkDirRequirement: {listing: [{entryname: copy, writable: true, entry: '$(${JSON.stringify({ class: 'File', path: place, basename: 'copy' })})'}]}\n`,
        ),
      );
      expect(copied.text, copied.log).not.toMatch(/administrator|root:/);
      expect(copied.ok).toBe(false);
    }
    const all = await run(
      shell(
        'ls $(inputs.x.path)/data > out.txt',
        'x: {type: Directory, default: {class: Directory, path: "/"}}',
        out,
        hint,
      ),
    );
    expect(all.ok, all.log).toBe(false);
    // none reached the engine
    expect((await standIn.told()).filter(([verb]) => verb === 'run')).toEqual([]);
  },
);

test.skipIf(!isGuarded)(
  'a container gets its arguments and input unchanged, and its output and status are returned completely',
  async () => {
    const fine = await run(
      shell(
        'head -c 3000000 /dev/zero | tr "\\\\0" x; echo said >&2',
        'x: string?',
        'out: stdout',
        `${hint}stdout: out.txt\n`,
      ),
    );
    expect(fine, fine.log).toMatchObject({ ok: true, log: expect.stringContaining('said') });
    expect(fine.text.length).toBe(3_000_000);
    expect((await run(shell('exit 7', 'x: string?', out, hint))).log).toContain('exited with status: 7');
  },
);
