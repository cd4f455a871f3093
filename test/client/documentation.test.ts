// Every TypeScript block of client/README.md, type-checked and run as one program against a server; it must
// print what the page says.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { startServer } from '../testkit/server.ts';
import { type BuiltClient, buildClient } from './built-client.ts';

const page = readFileSync(path.join(projectRoot, 'client/README.md'), 'utf8');
const program = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
const promised = [...program.matchAll(/ \/\/ → (.*)$/gm)].map(([, printed]) => printed);

let built: BuiltClient;
beforeAll(async () => {
  built = await buildClient();
});
afterAll(() => built[Symbol.asyncDispose]());

test('the examples print what the page says', async () => {
  await using server = await startServer();
  const { code } = await transform(program.replaceAll('http://127.0.0.1:8080', server.url), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
  });
  const file = path.join(built.folder, 'page.mjs');
  await writeFile(file, code);
  const child = spawn(process.execPath, [file], { env: { CAIRN_KEY: server.key } });
  let [printed, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [status] = (await once(child, 'close')) as [number];
  expect(errors).toBe('');
  expect(printed.trimEnd().split('\n')).toEqual(promised);
  expect(status).toBe(0);
});

test('the examples are type-safe for those who install the package', async () => {
  await writeFile(path.join(built.folder, 'page.mts'), `${program}\nexport {};\n`);
  await symlink(
    path.join(projectRoot, 'node_modules/@types'),
    path.join(built.folder, 'node_modules/@types'),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const options = [
    '--noEmit',
    '--strict',
    '--skipDefaultLibCheck', // of the compiler's own declarations only
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--types',
    'node',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
  ];
  const { stdout } = spawnSync(
    process.execPath,
    [path.join(projectRoot, 'node_modules/typescript/bin/tsc'), ...options, 'page.mts'],
    { cwd: built.folder, encoding: 'utf8' },
  );
  expect(stdout).toBe('');
});

test('the page has examples of every operation of the specification', () => {
  for (const name of [
    'create',
    'update',
    'delete',
    'get',
    'query',
    'history',
    'stateAt',
    'supersedeEntity',
    'setAvailabilityBulk',
    'relate',
    'unrelate',
    'traverse',
    'findRelationships',
    'validate',
    'addValidator',
    'ingestAll',
    'events',
    'search',
  ]) {
    expect(program, name).toMatch(new RegExp(`client\\.${name}[<(]`));
  }
  expect(promised.length).toBeGreaterThan(30);
});
