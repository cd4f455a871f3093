// Completion in shells that are installed, with the scripts that `cairn completion` prints.
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';

const run = promisify(execFile);
const hasShell = (name: string): boolean => {
  try {
    execFileSync(name, ['-c', ':']);
    return true;
  } catch {
    return false;
  }
};
let directory: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-completion-'));
  const command = path.join(directory, 'cairn');
  const entry = path.join(projectRoot, 'cli', 'cairn.mjs');
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`);
  await chmod(command, 0o755);
  env = { ...process.env, PATH: `${directory}:${process.env['PATH']}`, HOME: directory };
  for (const shell of ['bash', 'fish']) {
    const { stdout } = await run(command, ['completion', shell], { env });
    await writeFile(path.join(directory, `completion.${shell}`), stdout);
  }
});
afterAll(() => rm(directory, { recursive: true }));

/** What bash offers for each of the lines, with nothing but the script, which is read twice. */
async function inBash(lines: readonly string[]): Promise<string[]> {
  const script = path.join(directory, 'completion.bash');
  const tab = `offered() { COMP_LINE=$1 COMP_POINT=${'$'}{#1}; __cairn_complete; echo "${'$'}{COMPREPLY[*]}"; }`;
  const asked = lines.map((line) => `offered '${line}'`).join('\n');
  const text = `set -eu\n. '${script}'\n. '${script}'\ncomplete -p cairn\n${tab}\n${asked}\n`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', text], { env, cwd: directory });
  expect(stderr).toBe('');
  const [registered, ...offered] = stdout.trimEnd().split('\n');
  expect(registered).toBe('complete -o default -F __cairn_complete cairn');
  return offered;
}

test('bash completes commands, options and their values without any other package, and runs nothing of the line', async () => {
  const offered = await inBash([
    'cairn ex',
    'cairn schemas in',
    'cairn export --f',
    'cairn export --format ',
    'cairn export --format=nd',
    'cairn get biopsy:1 --js',
    'cairn get $(touch made) --js',
  ]);
  expect(offered).toEqual([
    'explain export',
    'infer',
    '--format --filter',
    'csv ndjson arrow parquet xlsx',
    'ndjson',
    '--json',
    '--json',
  ]);
  expect(await readdir(directory)).not.toContain('made');
});

test.skipIf(!hasShell('fish'))('fish completes commands', async () => {
  const script = path.join(directory, 'completion.fish');
  const { stdout } = await run('fish', ['-c', `source '${script}'; complete -C 'cairn ex'`], { env });
  expect(stdout.match(/^\S+/gm)).toEqual(['explain', 'export']);
});
