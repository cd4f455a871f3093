// `npm test`: prepares a fresh clone, then runs the suite without its long files. Other arguments are Vitest's:
//
//     npm test -- --all
//     npm test -- test/platform
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-install.mjs';
import { buildProduct } from './product.mjs';
import { compileAll } from './test-modules.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
ensureInstalled({ development: true });
// once, before several workers at once start processes of it, and import its modules
await Promise.all([buildProduct('cli/main.ts'), compileAll()]);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const args = process.argv.slice(2).filter((arg) => arg !== '--all');
const all = process.argv.includes('--all') ? { CAIRN_TEST_ALL: '1' } : {};
const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...all },
});
process.exitCode = status ?? 1;
