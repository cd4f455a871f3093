// A backup that is made beside writes, and restored into an empty place, answers every read of its instant as the first
// instance does (docs/reference/backups.md). CAIRN_PROVE_BACKUPS sets the number of histories.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startInstance } from '../archive/archive-testkit.ts';
import { instantsOf, makeHistory, readAll } from '../archive/random-history.ts';
import { startS3 } from '../artifact/s3-server.ts';
import { asSuperuser } from '../testkit/database.ts';
import type { TestServer } from '../testkit/server.ts';
import { backUp, emptyPlace, noProgress, restoreTo, scratchFolder, serve, verify } from './backup-testkit.ts';

const HISTORIES = Number(process.env['CAIRN_PROVE_BACKUPS'] ?? 1);
const STEPS = Number(process.env['CAIRN_PROVE_BACKUP_STEPS'] ?? 40);
const SEEDS = Array.from({ length: HISTORIES }, (_, i) => Number(process.env['CAIRN_PROVE_SEED'] ?? 1) + i);

/** What was asked of the past. */
const ofThePast = async (server: TestServer, instants: readonly string[]): Promise<Map<string, string>> => {
  const answers = await readAll(server, instants, { ofNow: false });
  const ofNow = /"(?:schema_version|schemaVersion)":"\d+"/g; // in each answer
  return new Map([...answers].map(([asked, answer]) => [asked, answer.replaceAll(ofNow, '""')]));
};

test.each(SEEDS)(
  'a quiet backup is restored equal by every read, and by every row (seed %i)',
  { timeout: 180_000 + STEPS * 1000 },
  async (seed) => {
    await using first = await startInstance();
    await using folder = await scratchFolder();
    await makeHistory(first, seed, STEPS);
    const instants = await instantsOf(first, 2);
    const { manifest } = await backUp(first.config, folder.dir);
    expect(manifest.lost).toEqual([]);
    expect(manifest.files.count).toBeGreaterThan(0);

    await using place = await emptyPlace();
    await restoreTo(place, folder.dir);
    await using second = await serve(place, first);
    const before = await readAll(first, instants);
    const after = await readAll(second, instants);
    expect(before.size).toBeGreaterThan(300);
    expect([...before].filter(([asked, answer]) => after.get(asked) !== answer)).toEqual([]);
    expect(after.size).toBe(before.size);

    const indexes = `SELECT indexname FROM pg_indexes WHERE schemaname IN ('metadata', 'workflow', 'artifact', 'gateway') ORDER BY 1`;
    const triggers = `SELECT tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`;
    for (const sql of [indexes, triggers])
      expect(await asSuperuser(sql, place.scratch.name)).toEqual(await asSuperuser(sql, first.databaseName));
    // and the log goes on
    await makeHistory(second, seed + 1000, 10);
    expect(Number((await verify(first.config, folder.dir)).manifest.position)).toBe(manifest.position);
  },
);

test.each(SEEDS)(
  'beside writes, of which none fails, a backup is of one instant (seed %i)',
  { timeout: 180_000 + STEPS * 2000 },
  async (seed) => {
    await using first = await startInstance();
    await using folder = await scratchFolder();
    await makeHistory(first, seed, STEPS);
    const writing = [makeHistory(first, seed + 2000, STEPS), makeHistory(first, seed + 3000, STEPS)];
    const file = path.join(folder.dir, 'cairn.tar');
    const [{ manifest }] = await Promise.all([backUp(first.config, file), ...writing]);

    await using place = await emptyPlace();
    await restoreTo(place, file);
    await using second = await serve(place, first);
    const instants = (await instantsOf(second, 4)).concat(manifest.time ?? []);
    expect(
      await asSuperuser('SELECT max(position)::int AS at FROM metadata.provenance', place.scratch.name),
    ).toEqual([{ at: manifest.position }]);
    const before = await ofThePast(first, instants);
    const after = await ofThePast(second, instants);
    expect(before.size).toBeGreaterThan(100);
    // addresses of files that were written since are not of the past; what the past says is
    expect([...after].filter(([asked, answer]) => before.get(asked) !== answer)).toEqual([]);
  },
);

test('the files that a directory has already are not copied again; a bucket holds the same', async () => {
  await using first = await startInstance();
  await using folder = await scratchFolder();
  await makeHistory(first, 5, 40);
  const [one, two] = [noProgress(), noProgress()];
  await backUp(first.config, folder.dir, {}, { progress: one });
  await backUp(first.config, folder.dir, {}, { progress: two });
  expect([one.copied, two.files, two.copied]).toEqual([one.files, one.files, 0]);
  expect(one.files).toBeGreaterThan(0);
  expect((await readdir(path.join(folder.dir, 'backups'))).length).toBe(2);

  await using s3 = await startS3('backups');
  const env = { AWS_ENDPOINT_URL: s3.url, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  const was = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    const secrets = { passphrase: 'correct horse battery' };
    const progress = noProgress();
    await backUp(first.config, 's3://backups/cairn', secrets);
    await backUp(first.config, 's3://backups/cairn', secrets, { progress });
    expect([progress.files, progress.copied]).toEqual([one.files, 0]);
    await using place = await emptyPlace();
    const { manifest } = await restoreTo(place, 's3://backups/cairn', secrets);
    expect(manifest.files.count).toBe(one.files);
  } finally {
    for (const [name, value] of was)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});
