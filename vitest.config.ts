// The suite: one embedded database for the whole run, a fresh copy of it for each test that asks
// (test/testkit/database.ts).
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/long-files-first.ts';

/** These replace a module, or what a module remembers of its process. */
const ISOLATED = ['test/artifact/runner-policy.test.ts', 'test/artifact/tool-surroundings.test.ts'];

export default defineConfig({
  resolve: {
    // one copy of graphql, whoever imports it and however: two make "another module or realm"
    alias: [
      { find: /^graphql$/, replacement: path.resolve(import.meta.dirname, 'node_modules/graphql/index.js') },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'in process', include: ['**/*.test.ts'], exclude: ISOLATED },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED, isolate: true } },
      // what users see must be the same where every component is another service, reached over HTTP
      {
        extends: true,
        test: {
          name: 'over HTTP',
          include: ['test/acceptance/**/*.test.ts'],
          env: { CAIRN_TEST_TRANSPORT: 'http' },
        },
      },
    ],
    exclude: ['**/node_modules/**', 'dist/**', 'build/**', 'data/**', 'prisma/generated/**'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/testkit/equal-bytes.ts'],
    pool: 'forks',
    sequence: { sequencer: LongFilesFirst },
    isolate: false, // importing the product anew for each file takes as long as all tests
    maxWorkers: 4, // on two processors: many tests wait for processes, locks and clocks
    // what hangs ends; a machine that others use may take several times as long as a quiet one
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 20_000,
    // 0 where somebody looks on: a chance failure is a fault to be found. See .ci/run
    retry: Number(process.env['CAIRN_TEST_RETRIES'] ?? 0),
  },
});
