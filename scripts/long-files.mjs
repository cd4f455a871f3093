// Tests that take a third of the whole suite's processor time: every view of the console by every role, every moment of a
// backup, kills, engines, REST against GraphQL (docs/decisions/0220-the-suite-without-its-long-files.md).

/** Left out of `npm test`, and run by `npm test -- --all`, and wherever tests are named. */
export const LONG_FILES = [
  'test/over-http.test.ts',
  'test/backup/any-moment.test.ts',
  'test/console/every-view.test.ts',
  'test/differential/rest-against-graphql.test.ts',
  'test/artifact/refresh-pinned.test.ts',
  'test/artifact/images.test.ts',
  'test/artifact/crash.test.ts',
  'test/artifact/wes-resumed.test.ts',
  'test/console/refresh.test.ts',
  'test/archive/hostile-archives.test.ts',
  'test/backup/archive-lost-log.test.ts',
  'test/operation-limits/operation-limits.test.ts',
  'test/backup/round-trip.test.ts',
  'test/console/beside.test.ts',
  'test/artifact/containers.test.ts',
  'test/rolling/rolling-restart.test.ts',
  'test/backup/archive-changes.test.ts',
  'test/workflow/replicas.test.ts',
  'test/history/faults.test.ts',
];

/** Of Vitest's arguments, what is not the name of a test. */
const COMMANDS = new Set(['run', 'watch', 'dev', 'list', 'bench', 'related']);

/** Whether `args`, those of Vitest, leave the long files out. */
export const leavesLongFilesOut = (args) =>
  process.env['CAIRN_TEST_ALL'] === undefined &&
  args.every((arg) => arg.startsWith('-') || COMMANDS.has(arg));
