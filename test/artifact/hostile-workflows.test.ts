// docs/reference/artifact.md#sandbox: a hostile workflow affects nothing outside its own directory, and none
// of its processes outlives it.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import type { RunOutcome } from '../../subgraphs/artifact/runners/runner.ts';
import { sandboxKind } from '../../subgraphs/artifact/runners/sandbox.ts';
import { readOutputs } from '../../subgraphs/artifact/production-worker/read-outputs.ts';
import type { RunLimits } from '../../subgraphs/artifact/runners/run-limits.ts';
import { pidsOf } from '../testkit/processes-of.ts';
import { canRun, cwltoolSettings, NOWHERE, shell } from './production-testkit.ts';

const LIMITS: RunLimits = { cores: 1, ram: 512 * 2 ** 20, disk: 64 * 2 ** 20, timeSeconds: 120 };
const sandbox = await sandboxKind();
if (sandbox !== 'bubblewrap')
  console.warn(
    `SKIPPED: bubblewrap cannot be used here (the sandbox is: ${sandbox}): what it guards is not tested (Debian: apt-get install bubblewrap)`,
  );
const isGuarded = canRun && sandbox === 'bubblewrap';

let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'cairn-hostile-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const OUT = 'uri: {type: File, outputBinding: {glob: out.txt}}';

async function run(
  command: string,
  {
    limits = {},
    outputs = OUT,
    stop = new AbortController().signal,
    more = '',
  }: { limits?: Partial<RunLimits>; outputs?: string; stop?: AbortSignal; more?: string } = {},
): Promise<RunOutcome & { readonly root: string }> {
  const directory = path.join(root, String(++count));
  await mkdir(directory);
  const outcome = await new CwltoolRunner(cwltoolSettings(), { ...LIMITS, ...limits }, NOWHERE).run(
    {
      id: String(count),
      main: 'https://inline.invalid/w.cwl',
      version: 'v1.2',
      documents: [
        { url: 'https://inline.invalid/w.cwl', content: shell(command, 'x: string?', outputs, more) },
      ],
      inputs: {},
      network: false,
      images: null,
      onLog: () => undefined,
    },
    directory,
    stop,
  );
  return { ...outcome, root: directory };
}

/** Expects none; the kernel may need a moment for the last of them. */
async function expectGone(mark: string): Promise<void> {
  await expect.poll(() => pidsOf(mark)).toEqual([]);
}

test.skipIf(!canRun)('a fork bomb is stopped, and none of its processes is left', async () => {
  const outcome = await run('for i in $(seq 1 3000); do sleep 4711.5 & done; wait'.replaceAll('$(', '\\$('), {
    limits: { ram: 64 * 2 ** 30 },
  });
  expect(outcome).toMatchObject({
    ok: false,
    fault: 'limit_exceeded',
    message: expect.stringMatching(/processes; the limit is/),
  });
  await expectGone('4711.5');
});

test.skipIf(!canRun)('a workflow gets no more memory than allowed', async () => {
  const outcome = await run('head -c 900m /dev/zero | tail > out.txt');
  expect(outcome).toMatchObject({
    ok: false,
    fault: 'limit_exceeded',
    message: expect.stringContaining('bytes of RAM'),
  });
});

test.skipIf(!canRun)('output without end is cut off, in files and in logs', async () => {
  const outcome = await run('yes > out.txt');
  expect(outcome.ok).toBe(false);
  const noise = await run('yes | head -c 20000000 >&2; echo done > out.txt');
  expect(noise.ok).toBe(true);
  expect(noise.log.length).toBeLessThan(70_000);
});

test.skipIf(!canRun)('a workflow that takes too long is stopped', async () => {
  const outcome = await run('sleep 4712.5', { limits: { timeSeconds: 2 } });
  expect(outcome).toMatchObject({
    ok: false,
    fault: 'limit_exceeded',
    message: 'the workflow was stopped: it took longer than 2 s',
  });
  await expectGone('4712.5');
});

test.skipIf(!isGuarded)(
  'processes that leave their group and session end with the run all the same',
  async () => {
    const outcome = await run('setsid sh -c "sleep 113.4713" >/dev/null 2>&1 & echo x > out.txt');
    expect(outcome.ok).toBe(true);
    await expectGone('113.4713');
  },
);

test.skipIf(!canRun)('a run that is stopped leaves no process', async () => {
  const stop = new AbortController();
  setTimeout(() => {
    stop.abort(new Error('stopped'));
  }, 1500);
  await expect(run('sleep 4714.5', { stop: stop.signal })).rejects.toThrow('stopped');
  await expectGone('4714.5');
});

test.skipIf(!isGuarded)(
  'a workflow reads and writes nothing outside its directory, and reaches no network',
  async () => {
    const secret = path.join(os.homedir(), '.profile');
    const outcome = await run(
      `(echo hacked > /etc/cairn-hacked; echo hacked > ${root}/hacked; cat /etc/shadow; cat ${secret}; ls ${root}; (exec 3<>/dev/tcp/127.0.0.1/22)) > out.txt 2>&1; echo end >> out.txt`,
    );
    expect(outcome.ok, outcome.log).toBe(true);
    expect(existsSync('/etc/cairn-hacked')).toBe(false);
    expect(existsSync(path.join(root, 'hacked'))).toBe(false);
    const told = await readFile(path.join(outcome.root, 'outputs', 'out.txt'), 'utf8');
    expect(told).not.toContain('root:');
    // other runs' directories are not visible
    expect(told.split('\n').filter((line) => /^\d+$/.test(line))).toEqual([path.basename(outcome.root)]);
  },
);

test.skipIf(!isGuarded)('JavaScript that breaks out of its sandbox is still inside ours', async () => {
  const target = path.join(root, 'hacked-by-js');
  const escape = `\${ var fs = globalThis.constructor.constructor('return require')()('fs'); try { fs.writeFileSync('${target}', 'x'); } catch (e) {} return 'out, on ' + fs.readFileSync('/proc/version'); }`;
  const outcome = await run('echo x > out.txt', {
    outputs: `${OUT}\nword: {type: string?, outputBinding: {outputEval: ${JSON.stringify(escape)}}}`,
  });
  expect(outcome, outcome.log).toMatchObject({
    ok: true,
    outputs: { word: expect.stringMatching(/^out, on Linux/) },
  }); // it has full access to Node.js
  expect(existsSync(target)).toBe(false);
});

test.skipIf(!canRun)('outputs that are links to elsewhere, or no files at all, are refused', async () => {
  const item = { entity_type: 'X', match: {} };
  const declared = [{ name: 'uri', type: { kind: 'File' as const } }];
  const directory = path.join(root, 'links');
  await mkdir(directory);
  await symlink('/etc/passwd', path.join(directory, 'link'));
  const keep = () => Promise.reject(new Error('it was kept'));
  const means = {
    keep,
    scratch: root,
    limits: { bytes: 1e6, entries: 100 },
    stop: new AbortController().signal,
  };
  for (const place of [
    path.join(directory, 'link'),
    '/etc/passwd',
    path.join(directory, '..', '..'),
    directory,
    path.join(directory, 'never'),
  ]) {
    await expect(
      readOutputs([item], declared, { uri: { class: 'File', path: place } }, { ...means, directory }),
      place,
    ).rejects.toThrow(/outside the workflow's output directory|not a file/);
  }
  for (const place of [
    '/etc',
    path.join(directory, '..', '..'),
    path.join(directory, 'link'),
    directory,
    path.join(directory, 'never'),
  ]) {
    await expect(
      readOutputs(
        [item],
        [{ name: 'uri', type: { kind: 'Directory' } }],
        { uri: { class: 'Directory', path: place } },
        { ...means, directory },
      ),
      place,
    ).rejects.toThrow(/outside the workflow's output directory|not a directory/);
  }
  const made = await run('ln -s /etc/passwd out.txt');
  if (made.ok)
    await expect(
      readOutputs([item], declared, made.outputs, { ...means, directory: made.directory }),
    ).rejects.toThrow(/it was kept|outside the workflow's output directory/);
});
