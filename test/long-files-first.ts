// The order of the suite's files: the longest begin first, so that at the end no worker waits for one that began last.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_FILES } from '../scripts/long-files.mjs';

/**
 * Files that take half a minute or longer, the longest first: most wait for processes, leases or clocks. Vitest knows
 * durations of runs before, which a fresh clone has not had, and goes by size there. Those that `npm test` leaves out
 * come before all others.
 */
const LONG = [
  ...LONG_FILES,
  'test/hostile-input.test.ts',
  'test/console/past.test.ts',
  'test/console/administration.test.ts',
  'test/client/python.test.ts',
  'test/cli/package.test.ts',
  'test/built-product.test.ts',
  'test/backup/safety.test.ts',
  'test/router/json-literals.test.ts',
  'test/metadata/as-of.test.ts',
  'test/examples/1000-genomes.test.ts',
  'test/console/views.test.ts',
  'test/metadata/automatic-indexes.test.ts',
  'test/workers.test.ts',
  'test/workflow/faketime.test.ts',
  'test/artifact/staleness-once.test.ts',
  'test/artifact/staleness.test.ts',
  'test/start-modes.test.ts',
  'test/artifact/stale-parameters.test.ts',
  'test/crash.test.ts',
  'test/deploy.test.ts',
  'test/gateway/tls-workers.test.ts',
  'test/platform/liveness.test.ts',
  'test/workflow/outages.test.ts',
  'test/gateway/why-ways.test.ts',
  'test/metadata/bulk-over-rest.test.ts',
  'test/client/ingest-all.test.ts',
  'test/built-installation.test.ts',
  'test/gateway/why-visibility.test.ts',
  'test/backup/archive-slow.test.ts',
  'test/backup/records.test.ts',
  'test/gateway/oauth-users.test.ts',
  'test/gateway/role-matrix.test.ts',
  'test/disk-full.test.ts',
  'test/private.test.ts',
  'test/artifact/files.test.ts',
  'test/metadata/residue.test.ts',
  'test/platform/paced-results.test.ts',
  'test/acceptance/tables.test.ts',
  'test/acceptance/tables-in.test.ts',
  'test/artifact/stale-then.test.ts',
  'test/gateway/who-changed-what.test.ts',
  'test/split-probes.test.ts',
  'test/artifact/staleness-matrix.test.ts',
  'test/artifact/stale-results.test.ts',
  'test/client/entities.test.ts',
  'test/router/extended-plan.test.ts',
  'test/workflow/became-stale-processes.test.ts',
  'test/client/documentation.test.ts',
  'test/console/definitions.test.ts',
  'test/console/first-quarter.test.ts',
  'test/artifact/uploads-kept.test.ts',
  'test/artifact/directories.test.ts',
  'test/artifact/produce.test.ts',
  'test/artifact/wes.test.ts',
  'test/artifact/identities-rejected.test.ts',
  'test/console/console.test.ts',
  'test/artifact/secondary-files.test.ts',
  'test/artifact/identities.test.ts',
  'test/console/import.test.ts',
  'test/history/processes.test.ts',
  'test/artifact/produce-reuse.test.ts',
  'test/backup/archive-next-chain.test.ts',
  'test/platform/database-embedded.test.ts',
  'test/small-heap.test.ts',
  'test/artifact/eviction.test.ts',
  'test/row-types/row-types.test.ts',
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    for (const file of LONG)
      if (!existsSync(path.join(root, file)))
        throw new Error(`test/long-files-first.ts names ${file}, which is not there`);
    const usual = await super.sort(files);
    // each has workers of its own; the largest comes last, as these had to be started when the other workers ended
    const projects = [...new Set(usual.map(({ project }) => project.name))];
    const sizes = new Map(
      projects.map((name) => [name, usual.filter(({ project }) => project.name === name).length]),
    );
    projects.sort((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG.indexOf(path.relative(root, moduleId).replaceAll('\\', '/'));
      return projects.indexOf(project.name) * (LONG.length + 1) + (at === -1 ? LONG.length : at);
    };
    return usual.sort((a, b) => rankOf(a) - rankOf(b)); // a stable sort
  }
}
