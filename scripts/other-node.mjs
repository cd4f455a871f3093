// Another version of Node for `npm run prove -- node-24`: its program comes from the npm registry.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The versions beside the oldest one, which `npm test` is run with: those with long-term support. */
export const OTHER_NODES = { 'node-22': '22.23.3', 'node-24': '24.21.0' };

/** What is run where no file is named: processes and threads, streams, memory, files, compression, and modules loaded by name. */
export const CHOSEN_FILES = [
  'subgraphs/artifact/runners/multipart.test.ts',
  'test/acceptance/change-feed.test.ts',
  'test/acceptance/first-steps.test.ts',
  'test/acceptance/tables.test.ts',
  'test/acceptance/typed.test.ts',
  'test/artifact/cwltool-runner.test.ts',
  'test/artifact/s3-store.test.ts',
  'test/artifact/uploads.test.ts',
  'test/built-installation.test.ts',
  'test/cli/ingest.test.ts',
  'test/cli/package.test.ts',
  'test/crash.test.ts',
  'test/gateway/auth-failures.test.ts',
  'test/gateway/intake.test.ts',
  'test/gateway/pass-through.test.ts',
  'test/metadata/bulk-tables.test.ts',
  'test/metadata/entities.test.ts',
  'test/metadata/validator-modules.test.ts',
  'test/packages.test.ts',
  'test/platform/heap-growth.test.ts',
  'test/reload.test.ts',
  'test/start-modes.test.ts',
  'test/workers.test.ts',
  'test/workflow/adapters.test.ts',
  'test/workflow/schedules.test.ts',
];

/** The environment in which `node` is the program of that version, fetched where it is not there yet. */
export function environmentOf(version) {
  const folder = path.join(root, 'build', `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  const bin = path.join(folder, 'node_modules', name, 'bin');
  const node = path.join(bin, 'node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, error } = spawnSync('npm', [...args, `${name}@${version}`], { stdio: 'inherit' });
    if (status !== 0)
      throw new Error(`the package ${name}@${version} could not be installed`, { cause: error });
  }
  return { node, env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` } };
}
