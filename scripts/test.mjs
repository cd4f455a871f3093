// `npm test`: prepares a fresh clone, then runs the suite. Arguments are passed to vitest: npm test --
// test/platform
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
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
