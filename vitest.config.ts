// The suite: one embedded database for the whole run, a fresh copy of it for each test that asks
// (test/testkit/database.ts).
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/long-files-first.ts';

/** These replace a module, or what a module remembers of its process. */
const ISOLATED = [
  'platform/heap-growth.test.ts',
  'test/artifact/runner-policy.test.ts',
  'test/artifact/tool-surroundings.test.ts',
];

/** Of every project. What is said to `test` below is the run's, and of no project. */
const shared = {
  exclude: ['**/node_modules/**', 'dist/**', 'build/**', 'data/**', 'prisma/generated/**'],
  setupFiles: ['test/testkit/equal-bytes.ts', 'test/testkit/remembered-scrypt.ts'],
  isolate: false, // importing the product anew for each file takes as long as all tests
  // what hangs ends; a machine that others use may take several times as long as a quiet one
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // 0 where somebody looks on: a chance failure is a fault to be found. See .ci/run
  retry: Number(process.env['CAIRN_TEST_RETRIES'] ?? 0),
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
          name: 'in process',
          include: ['**/*.test.ts'],
          exclude: [...shared.exclude, ...ISOLATED],
        },
      },
      { resolve, test: { ...shared, name: 'isolated', include: ISOLATED, isolate: true } },
      // what users see must be the same where every component is another service, reached over HTTP
      {
        resolve,
        test: {
          ...shared,
          name: 'over HTTP',
          include: ['test/acceptance/**/*.test.ts'],
          env: { CAIRN_TEST_TRANSPORT: 'http' },
        },
      },
    ],
    globalSetup: ['test/global-setup.ts'], // once: a project that had it would start a database of its own
    pool: 'forks',
    sequence: { sequencer: LongFilesFirst },
    maxWorkers: 6, // on two processors: many tests wait for processes, locks and clocks
    teardownTimeout: 20_000,
  },
});
