// The installed package: its files, compatibility and dependencies.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { type BuiltClient, buildClient } from './built-client.ts';

let built: BuiltClient;
beforeAll(async () => {
  built = await buildClient();
});
afterAll(() => built[Symbol.asyncDispose]());

const manifest = JSON.parse(readFileSync(path.join(projectRoot, 'client/package.json'), 'utf8')) as Record<
  string,
  unknown
>;

test('it depends on nothing', async () => {
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  const { code } = await transform(readFileSync(path.join(built.packageFolder, 'dist/index.js'), 'utf8'), {
    minifyWhitespace: true,
  }); // without comments
  expect(code).not.toMatch(/(^|[;}])(import\b|export\b[^;]*\bfrom\b)/);
  expect(code).not.toMatch(/\bprocess\.|\brequire\(|\bBuffer\b/);
});

test(
  "its declarations hold for bundlers and for Node, with browsers' types or with Node's",
  { timeout: 120_000 },
  () => {
    writeFileSync(
      path.join(built.folder, 'use.mts'),
      [
        "import { createClient, type Entity, EntityNotFoundError } from '@cairn/client';",
        "const client = createClient({ url: 'http://h', token: 't' });",
        "export const one: Promise<Entity<{ a: string }>> = client.get<{ a: string }>('T', 'i');",
        '// @ts-expect-error a field that there is not',
        "client.query<{ a: string }>('T', { b: 1 });",
        '// @ts-expect-error a value of another type',
        "client.update<{ a: string }>('T', 'i', { a: 1 });",
        "export const type: string | null = new EntityNotFoundError('T', 'i').entityType;",
      ].join('\n'),
    );
    for (const platform of [
      ['--module', 'nodenext', '--lib', 'es2022,dom'],
      ['--module', 'preserve', '--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable'],
    ]) {
      const options = [
        '--noEmit',
        '--strict',
        '--skipDefaultLibCheck', // of the compiler's own declarations only
        '--target',
        'es2022',
        ...platform,
      ];
      const { stdout } = spawnSync(
        process.execPath,
        [path.join(projectRoot, 'node_modules/typescript/bin/tsc'), ...options, 'use.mts'],
        { cwd: built.folder, encoding: 'utf8' },
      );
      expect(stdout, platform.join(' ')).toBe('');
    }
  },
);

test('it ships what is built and nothing else', () => {
  expect(manifest['files']).toEqual(['dist']);
  const shipped = readdirSync(path.join(built.packageFolder, 'dist'), {
    recursive: true,
    encoding: 'utf8',
  }).filter((file) => file.includes('.'));
  expect(shipped.every((file) => /\.(js|js\.map|d\.ts)$/.test(file))).toBe(true);
  expect(shipped).toContain('index.d.ts');
});
