// `npm run prove` runs the randomised and exhaustive tests at full size, which takes more than an hour. Arguments select some of
// them:
//
//     npm run prove -- history
//
// With another version of Node, `npm run prove -- node-24` runs the tests of what depends on it, or those that are named:
//
//     npm run prove -- node-24 test/gateway
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './ensure-install.mjs';
import { CHOSEN_FILES, environmentOf, OTHER_NODES } from './other-node.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The tests: name, file and size; `npm test` runs each of them at a small size. */
const PROOFS = [
  { name: 'history', file: 'test/history/processes.test.ts', env: { CAIRN_PROVE_OPERATIONS: '200000' } },
  { name: 'faults', file: 'test/history/faults.test.ts', env: { CAIRN_PROVE_FAULTS: '24' } },
  { name: 'rest-against-graphql', file: 'test/differential/rest-against-graphql.test.ts', env: {} },
  { name: 'as-of', file: 'test/metadata/as-of.test.ts', env: { CAIRN_TEST_RUNS: '60' } },
  { name: 'past', file: 'test/past/past.test.ts', env: { CAIRN_PROVE_PAST_ANSWERS: '21000' } },
  { name: 'cel', file: 'test/metadata/filters/differential.test.ts', env: { CAIRN_FUZZ: '12000x400' } },
  { name: 'literals', file: 'test/router/json-literals.test.ts', env: { CAIRN_FUZZ_LITERALS: '3000' } },
  { name: 'feed', file: 'test/acceptance/change-feed.test.ts', env: {} },
  {
    name: 'archives',
    file: 'test/archive/round-trip.test.ts',
    env: { CAIRN_PROVE_ARCHIVES: '20', CAIRN_PROVE_ARCHIVE_STEPS: '400' },
  },
  {
    name: 'backup',
    file: 'test/backup/round-trip.test.ts',
    env: { CAIRN_PROVE_BACKUPS: '10', CAIRN_PROVE_BACKUP_STEPS: '300' },
  },
  { name: 'hosts', file: 'test/hosts/three-hosts.test.ts', env: { CAIRN_PROVE_HOSTS: '30' } },
  { name: 'rolling', file: 'test/rolling/rolling-restart.test.ts', env: { CAIRN_PROVE_ROLLING: '100000' } },
  {
    name: 'upgrade',
    file: 'test/rolling/rolling-upgrade.test.ts',
    env: { CAIRN_PROVE_UPGRADE: process.env['CAIRN_PROVE_UPGRADE'] ?? 'HEAD~1' },
  },
  {
    name: 'console',
    file: 'test/console/every-view.test.ts',
    env: { CAIRN_PROVE_CONSOLE_ROUNDS: '5' },
  },
  { name: 'replicas', file: 'test/workflow/replicas.test.ts', env: { CAIRN_TEST_KILLS: '40' } },
  { name: 'hostile-input', file: 'test/hostile-input.test.ts', env: { CAIRN_PROVE_HOSTILE: '1' } },
  { name: 'package', file: 'test/built-installation.test.ts', env: { CAIRN_PROVE_PACKAGE: '1' } },
  { name: 'kills', file: 'test/crash.test.ts', env: { CAIRN_CRASH_ROUNDS: '40' } },
];

ensureInstalled({ development: true });
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const wanted = process.argv.slice(2);
const version = OTHER_NODES[wanted[0]];
if (version !== undefined) {
  const { node, env } = environmentOf(version);
  const files = wanted.length > 1 ? wanted.slice(1) : CHOSEN_FILES;
  console.log(`\nNode ${version}: ${files.join(' ')}`);
  const { status } = spawnSync(node, [vitest, 'run', ...files], { cwd: root, stdio: 'inherit', env });
  process.exit(status ?? 1);
}
const chosen = PROOFS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length < Math.max(1, wanted.length)) {
  console.error(`there are: ${[...PROOFS.map(({ name }) => name), ...Object.keys(OTHER_NODES)].join(', ')}`);
  process.exit(2);
}
const failed = chosen.filter(({ name, file, env }) => {
  console.log(
    `\n${name}: ${file} ${Object.entries(env)
      .map(([key, value]) => `${key}=${value}`)
      .join(' ')}`,
  );
  const { status } = spawnSync(process.execPath, [vitest, 'run', file, '--testTimeout=14400000'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status !== 0;
});
console.log(
  `\n${chosen.length - failed.length} of ${chosen.length} proved${failed.length === 0 ? '' : `; not: ${failed.map(({ name }) => name).join(', ')}`}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
