// Generates code from prisma/schema.prisma. Runs after every install, and by hand: node scripts/generate.mjs [--force]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const schema = path.join(root, 'prisma', 'schema.prisma');
const output = path.join(root, 'prisma', 'generated');
const stamp = path.join(output, '.made-from');

/** What the generated client depends on: the schema's text and Prisma's version. */
function source() {
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'node_modules', 'prisma', 'package.json'), 'utf8'),
  );
  return createHash('sha256').update(readFileSync(schema)).update(version).digest('hex');
}

function generatePrismaClient() {
  const cli = path.join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const result = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: root,
    encoding: 'utf8',
    // `generate` never runs the native schema engine, yet wants to download it first; any existing executable satisfies it
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, ...process.env },
  });
  if (result.status !== 0)
    throw new Error(
      `prisma generate failed:\n${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`,
    );
  mkdirSync(output, { recursive: true });
  writeFileSync(stamp, source());
}

const isCurrent = () =>
  existsSync(path.join(output, 'client.ts')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === source();

/** Every generator of the project, in order; each does nothing where its output is current. Further generators join this list. */
export function ensureGenerated({ force = false } = {}) {
  if (force || !isCurrent()) generatePrismaClient();
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureGenerated({ force: process.argv.includes('--force') });
}
