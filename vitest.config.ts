// The suite: one embedded database for the whole run, a fresh copy of it for each test that asks
// (test/testkit/database.ts).
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { leavesLongFilesOut, LONG_FILES } from './scripts/long-files.mjs';
import { LongFilesFirst } from './test/long-files-first.ts';

/** These replace a module. */
const REPLACING = ['platform/heap-growth.test.ts', 'test/artifact/runner-policy.test.ts'];
/** This replaces what a module remembers of its process. */
const REMEMBERED = ['test/artifact/tool-surroundings.test.ts'];

/** Of every project. What is said to `test` below is the run's, and of no project. */
const shared = {
  exclude: [
    '**/node_modules/**',
    'dist/**',
    'build/**',
    'data/**',
    'prisma/generated/**',
    ...(leavesLongFilesOut(process.argv.slice(2)) ? LONG_FILES : []),
  ],
  isolate: false, // importing the product anew for each file takes as long as all tests
  // what hangs ends; a machine that others use may take several times as long as a quiet one
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  // 0 where somebody looks on: a chance failure is a fault to be found. See .ci/run
  retry: Number(process.env['CAIRN_TEST_RETRIES'] ?? 0),
};

/** Modules are imported by Vite, which can replace them. */
const byVite = { setupFiles: ['test/testkit/equal-bytes.ts', 'test/testkit/remembered-scrypt.ts'] };

/** Modules are imported by Node itself, as those of the product are (docs/decisions/0206-tests-import-as-node-does.md). */
const byNode = {
  setupFiles: ['test/testkit/take-typescript.mjs'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** One copy of graphql, whoever imports it and however: two make "another module or realm". */
const resolve = {
  alias: [
    { find: /^graphql$/, replacement: path.resolve(import.meta.dirname, 'node_modules/graphql/index.js') },
  ],
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          ...shared,
          ...byNode,
          name: 'in process',
          include: ['**/*.test.ts'],
          exclude: [...shared.exclude, ...REPLACING, ...REMEMBERED],
        },
      },
      { resolve, test: { ...shared, ...byVite, name: 'replacing', include: REPLACING, isolate: true } },
      { resolve, test: { ...shared, ...byNode, name: 'isolated', include: REMEMBERED, isolate: true } },
    ],
    globalSetup: ['test/global-setup.ts'], // once: a project that had it would start a database of its own
    pool: 'forks',
    sequence: { sequencer: LongFilesFirst },
    maxWorkers: 8, // on two processors: many tests wait for processes, locks and clocks
    teardownTimeout: 20_000,
  },
});
