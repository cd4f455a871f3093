// The commands of the README and of docs/shell.md, run unchanged against a server, in the order of the page and in one
// shell session.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer } from '../testkit/server.ts';
import { type Commands, commandBlocks, withGaps } from './marked-blocks.ts';

const blocksOf = (page: string): Commands[] =>
  commandBlocks(readFileSync(path.join(projectRoot, page), 'utf8'));
const blocks = blocksOf('README.md');
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const BOUNDARY = 'end of block';

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

function runScript(file: string, cwd: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', [file], { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd } });
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

/** Runs the blocks in a folder whose `data` is the server's, like a checkout; returns the output of each. */
async function runBlocks(
  tested: readonly Commands[],
  server: { url: string; dataDir: string },
): Promise<string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-readme-'));
  try {
    symlinkSync(server.dataDir, path.join(folder, 'data'));
    const script = tested
      .map(
        ({ text }) => `${text.replaceAll('http://127.0.0.1:8080', server.url)}\nprintf '%s' '${BOUNDARY}'\n`,
      )
      .join('');
    const file = path.join(folder, 'tour.sh');
    await writeFile(file, `set -euo pipefail\n${script}`);
    const { status, out, errors } = await runScript(file, folder);
    expect(errors).toBe('');
    expect(status).toBe(0);
    return out.split(BOUNDARY).slice(0, -1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the marked blocks of a page and compares what they print with the answers below them. */
async function holdPage(page: string): Promise<void> {
  await using server = await startServer();
  const tested = blocksOf(page).filter((block) => block.isTested);
  const printed = await runBlocks(tested, server);
  expect(printed).toHaveLength(tested.length);
  for (const [i, { line, answer }] of tested.entries()) {
    if (answer === undefined) continue;
    const example: unknown = JSON.parse(answer);
    const answered: unknown = JSON.parse(printed[i] ?? '');
    expect(withGaps(example, answered), `the answer under line ${line} of ${page}`).toEqual(example);
  }
}

test.skipIf(!has('bash') || !has('curl'))(
  'every command of the tour answers what the README says it answers',
  () => holdPage('README.md'),
);

const canShell = has('bash') && has('curl') && has('jq');
if (!canShell) console.warn('SKIPPED: curl or jq is not installed, so that docs/shell.md is not run');
test.skipIf(!canShell)('every command for a shell answers what its page says', () =>
  holdPage('docs/shell.md'),
);

test('a command that the tour does not run is a script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  }; // npm's own format.
  const untested = blocks.filter((block) => !block.isTested).map((block) => block.text);
  expect(untested.map((command) => /^npm (?:run )?(\S+)$/.exec(command)?.[1])).toSatisfy(
    (names: (string | undefined)[]) => names.every((name) => name !== undefined && name in scripts),
  );
  expect(untested).toContain('npm start');
});

test('the tour has answers to hold the server to', () => {
  expect(
    blocks.filter((block) => block.isTested && block.answer !== undefined).length,
  ).toBeGreaterThanOrEqual(7);
});

test('an answer with more, less or other content than the example is distinguished from it, whatever the example leaves open', () => {
  const example = { id: '…', items: [{ n: 1, at: '…' }], meta: '…' };
  expect(withGaps(example, { id: 'x', items: [{ n: 1, at: 'now' }], meta: { a: 1 } })).toEqual(example);
  expect(withGaps(example, { id: 'x', items: [{ n: 2, at: 'now' }], meta: { a: 1 } })).not.toEqual(example);
  expect(withGaps(example, { id: 'x', items: [{ n: 1, at: 'now' }] })).not.toEqual(example);
  expect(withGaps(example, { id: 'x', items: [{ n: 1, at: 'now' }], meta: 1, more: 1 })).not.toEqual(example);
});
