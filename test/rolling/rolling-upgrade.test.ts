// Two upgrades one after another while requests go on: a version that adds to the database, and one after which
// the version before the first may not write any more (docs/decisions/0128-migrations-in-two-phases.md). It bundles
// three versions, so that `npm test` leaves it out: npm run prove -- upgrade. CAIRN_PROVE_UPGRADE is the commit whose
// version is upgraded.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WRITE_FORMAT } from '../../platform/database/write-format.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { copyProject, makeEdits } from '../project-copy.ts';
import { keptConnection } from '../testkit/kept-connection.ts';
import { startFleet, underLoad } from './fleet.ts';

const COMMIT = process.env['CAIRN_PROVE_UPGRADE'];

function versionOf(commit: string): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'cairn-version-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: projectRoot, maxBuffer: 1e9 });
  execFileSync('tar', ['-x'], { cwd: copy, input: archive });
  // hard links: older versions bundle nothing of a folder that is a symbolic link
  const packages = path.join(projectRoot, 'node_modules');
  const { status } = spawnSync('cp', ['-al', packages, copy], { stdio: 'ignore' });
  if (status !== 0) cpSync(packages, path.join(copy, 'node_modules'), { recursive: true, force: true }); // another file system
  execFileSync(process.execPath, ['scripts/generate.mjs'], { cwd: copy, stdio: 'ignore' });
  return copy;
}

/** This version with one more migration, and the form of the log that it knows. */
function versionWith(migrations: Readonly<Record<string, string>>): string {
  const copy = copyProject();
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(path.join(copy, 'prisma/migrations', name));
    writeFileSync(path.join(copy, 'prisma/migrations', name, 'migration.sql'), sql);
  }
  makeEdits(copy, [
    {
      file: 'platform/database/write-format.ts',
      without: `WRITE_FORMAT = ${WRITE_FORMAT}`,
      becomes: `WRITE_FORMAT = ${WRITE_FORMAT + 1}`,
    },
  ]);
  return copy;
}

const ADDS = { '20990101000000_adds': 'ALTER TABLE metadata.entity ADD COLUMN added text' };
const RAISES = {
  '20990201000000_raises': 'SELECT metadata.open_log(); UPDATE metadata.write_format SET format = format + 1',
};

test.skipIf(COMMIT === undefined)(
  'versions are replaced one after another; who was left behind writes nothing any more',
  { timeout: 900_000 },
  async () => {
    const versions = [
      versionOf(COMMIT ?? ''),
      versionWith(ADDS),
      versionWith({ ...ADDS, ...RAISES }),
    ] as const;
    const [before, adding, raising] = versions;
    try {
      await using fleet = await startFleet({
        processes: 2,
        hasOneBeside: true,
        config: 'lame_duck_seconds: 1',
        cwd: before,
      });
      const { answered, failures } = await underLoad(fleet, async () => {
        for (const port of fleet.ports) await fleet.replace(port, adding);
        for (const port of fleet.ports) await fleet.replace(port, raising);
      });
      console.info(`${answered} answered, ${failures.length} failed`);
      expect(failures).toEqual([]);
      const old = keptConnection(fleet.server(fleet.beside ?? 0).url);
      expect(
        await old.ask('/api/v1/metadata/ingest', fleet.key, { entity_type: 'Thing', data: {} }),
      ).toMatchObject({ status: 503 });
      expect(await old.ask('/readyz', fleet.key)).toMatchObject({ status: 503 });
      expect(await old.ask('/api/v1/metadata/entities?limit=1', fleet.key)).toMatchObject({ status: 200 });
      old.end();
    } finally {
      for (const version of versions) rmSync(version, { recursive: true, force: true });
    }
  },
);
