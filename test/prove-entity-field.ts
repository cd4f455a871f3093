// Adds a field to Entity in a copy, as CONTRIBUTING.md says, and checks that the compiler, the migrations and tests
// find nothing missing: npm run prove-entity-field
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EDITS, MIGRATION, TESTS } from './entity-field/five-files.ts';
import { copyProject, makeEdits } from './project-copy.ts';

const OWN = 'test/entity-field/made-by';

const copy = copyProject();
try {
  makeEdits(copy, EDITS);
  const migration = path.join(copy, MIGRATION.file);
  mkdirSync(path.dirname(migration));
  writeFileSync(migration, MIGRATION.text);
  renameSync(path.join(copy, `${OWN}.ts`), path.join(copy, `${OWN}.test.ts`));
  for (const args of [
    ['scripts/generate.mjs'],
    ['node_modules/typescript/bin/tsc', '-p', '.'],
    ['scripts/migrate.mjs', 'diff'],
    ['node_modules/vitest/vitest.mjs', 'run', `${OWN}.test.ts`, ...TESTS],
  ]) {
    console.log(`\nnode ${args.join(' ')}`);
    const { status } = spawnSync(process.execPath, args, { cwd: copy, stdio: 'inherit' });
    if (status !== 0) throw new Error(`a field of Entity takes more than five files: ${args[0]} failed`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
