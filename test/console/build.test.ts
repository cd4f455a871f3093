// What the bundler leaves of the console.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';

const folder = path.join(projectRoot, 'dist/console');

test('a build removes the files of earlier ones', () => {
  mkdirSync(folder, { recursive: true });
  for (const name of ['home-EARLIER0.js', 'home-EARLIER0.js.gz', 'main-EARLIER0.css.br'])
    writeFileSync(path.join(folder, name), '');
  rmSync(path.join(folder, 'made-from.json'), { force: true });
  const built = spawnSync(process.execPath, ['scripts/console.mjs'], { cwd: projectRoot, encoding: 'utf8' });
  expect(built.stderr).toBe('');
  const { files } = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as {
    readonly files: object;
  };
  const expected = Object.keys(files).flatMap((name) => [name, `${name}.gz`, `${name}.br`]);
  expect(
    readdirSync(folder)
      .filter((name) => /\.(?:js|css)(?:\.gz|\.br)?$/.test(name))
      .sort(),
  ).toEqual(expected.sort());
});
