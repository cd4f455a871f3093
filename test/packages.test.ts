// The bundle of packages that every process loads, and what V8 compiled of it (docs/decisions/0084).
import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';
import { scratchDirectory } from './testkit/scratch-space.ts';

const { version } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};
const built = path.join(projectRoot, 'dist', 'cairn');
// processes share what was compiled by the name of their program: this one is nobody else's
const program = `packages-test-${process.pid}`;
let directory: string;

/** Runs `cairn --version` as a program of that name. */
const run = async (): Promise<string> =>
  (await promisify(execFile)(process.execPath, [path.join(directory, `${program}.mjs`)])).stdout.trim();

const compiledFiles = async (): Promise<string[]> =>
  (await readdir(built)).filter((name) => name.includes(program)).map((name) => path.join(built, name));

beforeAll(async () => {
  directory = scratchDirectory('packages');
  const { build } = (await import(pathToFileURL(path.join(projectRoot, 'scripts', 'run.mjs')).href)) as {
    build: (entry: string) => Promise<string>;
  }; // scripts are plain JavaScript
  const main = pathToFileURL(await build('cli/main.ts')).href;
  await writeFile(
    path.join(directory, `${program}.mjs`),
    `import { main } from ${JSON.stringify(main)};\nprocess.exit(await main(['--version']));\n`,
  );
});
afterAll(async () => {
  for (const file of await compiledFiles()) await rm(file, { force: true });
  await rm(directory, { recursive: true, force: true });
});

test('compiled packages are cached by the first process, and compiled again if the cache is damaged', async () => {
  expect(await run()).toBe(version);
  const [file = '', ...others] = await compiledFiles();
  expect(others).toEqual([]); // nor a half-written one
  const kept = await readFile(file);
  expect(await run()).toBe(version);
  expect((await readFile(file)).equals(kept)).toBe(true); // it was used: nothing was written

  const damaged = Buffer.from(kept);
  for (let at = 2000; at < damaged.length; at += 997) damaged[at] = 255 - (damaged[at] ?? 0);
  await writeFile(file, damaged);
  expect(await run()).toBe(version);
  const anew = await readFile(file);
  expect(anew.equals(damaged)).toBe(false);
  await writeFile(file, anew.subarray(0, 20));
  expect(await run()).toBe(version);
});

test('packages that share objects have one copy of graphql', async () => {
  const { file } = JSON.parse(await readFile(path.join(built, 'packages.json'), 'utf8')) as { file: string };
  const text = await readFile(path.join(built, file), 'utf8');
  expect(text.match(/from another module or realm/g)).toHaveLength(1);
  expect(text).toMatch(/"@apollo\/gateway":\(\)=>/);
});
