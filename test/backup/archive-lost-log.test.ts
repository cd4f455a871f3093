// docs/reference/backups.md#archive-of-the-write-ahead-log: log that the server no longer has begins another chain, and
// what lies between is refused; chains that nobody needs are removed, and nobody else's.
import { chmodSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { embeddedSuperuserUrl } from '../../platform/database/embedded/supervise.ts';
import { restoreMoment } from '../../standalone/backups.ts';
import { log } from '../archive/archive-testkit.ts';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { scratchFolder } from './backup-testkit.ts';

interface State {
  readonly chain: string | null;
  readonly lsn: string;
  readonly next: number;
  readonly archivedUntil: string | null;
  readonly failing: { readonly message: string } | null;
}

const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The name of the segment that has this place of the log, on the first timeline. */
function segmentOf(lsn: string): string {
  const [high = '', low = ''] = lsn.split('/');
  const numbers = [1, Number.parseInt(high, 16), Math.floor(Number.parseInt(low, 16) / SEGMENT_BYTES)];
  return numbers.map((n) => n.toString(16).toUpperCase().padStart(8, '0')).join('');
}

class Archived {
  readonly folder: string;
  readonly dataDir: string;
  readonly place: string;

  constructor(folder: string) {
    chmodSync(folder, 0o711); // PostgreSQL is another user's
    this.folder = folder;
    this.dataDir = path.join(folder, 'data');
    this.place = path.join(folder, 'place');
  }

  async start(): Promise<ServerProcess> {
    const file = path.join(this.folder, 'gateway.yaml');
    await writeFile(file, `database: {archive: {to: "${this.place}", every_seconds: 1, keep_days: 1}}\n`);
    return startProcess({ dataDir: this.dataDir, env: { CAIRN_CONFIG: file } });
  }

  async state(): Promise<State | undefined> {
    const text = await readFile(path.join(this.dataDir, 'postgres/archive.json'), 'utf8').catch(() => '');
    return text === '' ? undefined : (JSON.parse(text) as State);
  }

  async until(holds: (state: State | undefined) => boolean): Promise<State> {
    await expect.poll(() => this.state()).toSatisfy(holds);
    const state = await this.state();
    if (state === undefined) throw new Error('there is no state');
    return state;
  }

  chains(): Promise<string[]> {
    return readdir(path.join(this.place, 'archives')).then((names) => names.sort());
  }

  restore(name: string, until: string): ReturnType<typeof restoreMoment> {
    return restoreMoment({
      config: parseConfig('{}\n', path.join(this.folder, 'other.yaml'), {
        env: { CAIRN_DATA_DIR: path.join(this.folder, name) },
        cwd: this.folder,
      }),
      log,
      place: this.place,
      until,
      cwd: this.folder,
      secrets: {},
      revokeSessions: false,
      pauseTriggers: false,
      actor: 'os:test',
    });
  }

  /** Begins several segments of the log. */
  async switchSegments(): Promise<void> {
    const db = new pg.Client({ connectionString: embeddedSuperuserUrl(this.dataDir) });
    await db.connect();
    try {
      for (let i = 0; i < 4; i++) {
        await db.query("SELECT pg_logical_emit_message(true, 'test', 'something')");
        await db.query('SELECT pg_switch_wal()');
      }
      await db.query('CHECKPOINT');
    } finally {
      await db.end();
    }
  }
}

test('log that is gone begins another chain; what lies between is refused', async () => {
  await using scratch = await scratchFolder();
  const instance = new Archived(scratch.dir);
  let server = await instance.start();
  const first = await instance.until((state) => (state?.chain ?? null) !== null);
  await instance.until((state) => (state?.archivedUntil ?? '') > (first.archivedUntil ?? ''));
  const aside = `${instance.place}-aside`;
  await rename(instance.place, aside);
  await writeFile(instance.place, 'no folder');
  const failing = await instance.until((state) => (state?.failing ?? null) !== null);
  const between = new Date().toISOString();
  await instance.switchSegments();
  await server.end('SIGTERM');
  await rm(path.join(instance.dataDir, 'postgres/cluster/pg_wal', segmentOf(failing.lsn)));
  await rm(instance.place);
  await rename(aside, instance.place);

  server = await instance.start();
  const next = await instance.until(
    (state) => state?.failing === null && state.chain !== null && state.chain !== first.chain,
  );
  expect(server.log()).toContain('has already been removed');
  await instance.until((state) => (state?.archivedUntil ?? '') > (next.archivedUntil ?? ''));
  await server.end('SIGTERM');
  expect(await instance.chains()).toEqual([first.chain, next.chain]);
  await expect(instance.restore('between', between)).rejects.toThrow('ends before');
  expect((await instance.restore('restored', 'latest')).chain).toBe(next.chain);
});

test('a place that was emptied, or is another one by now, gets another chain; and so does the one that is back', async () => {
  await using scratch = await scratchFolder();
  const instance = new Archived(scratch.dir);
  const server = await instance.start();
  const first = await instance.until((state) => (state?.chain ?? null) !== null);
  const aside = `${instance.place}-aside`;
  await rename(instance.place, aside); // as a disk that is no longer mounted; the folder below it can be written to
  const empty = await instance.until(
    (state) => state?.failing === null && state.chain !== null && state.chain !== first.chain,
  );
  expect(server.log()).toContain(`no longer has archives/${first.chain}/sealed`);
  expect(await instance.chains()).toEqual([empty.chain]);
  await rm(instance.place, { recursive: true });
  await rename(aside, instance.place);
  const back = await instance.until(
    (state) => state?.failing === null && state.chain !== null && state.chain !== empty.chain,
  );
  await instance.switchSegments();
  await instance.until((state) => (state?.next ?? 0) > 0);
  await server.end('SIGTERM');
  expect(await instance.state()).toMatchObject({ chain: back.chain });
  expect((await instance.restore('restored', 'latest')).chain).toBe(back.chain);
});

test('chains before the one that keep_days needs are removed', { timeout: 180_000 }, async () => {
  await using scratch = await scratchFolder();
  const instance = new Archived(scratch.dir);
  let server = await instance.start();
  const { chain } = await instance.until((state) => (state?.chain ?? null) !== null);
  await server.end('SIGTERM');
  const current = chain ?? '';
  const archives = path.join(instance.place, 'archives');
  const copied = async (time: string, change?: (folder: string) => Promise<void>): Promise<string> => {
    const id = current.replace(/^[^-]+/, time);
    await cp(path.join(archives, current), path.join(archives, id), { recursive: true });
    await change?.(path.join(archives, id));
    return id;
  };
  await copied('20250101T000000Z');
  const needed = await copied('20250201T000000Z'); // of what is kept it has the beginning
  await copied('20250301T000000Z', (folder) => rm(path.join(folder, 'chain.json'))); // was never whole
  const others = await copied('20250102T000000Z', async (folder) => {
    const file = path.join(folder, 'sealed');
    const [mark = ''] = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, `${mark}\n0123456789abcdef\n`);
  });
  server = await instance.start();
  await expect.poll(() => instance.chains()).toEqual([others, needed, current].sort());
  await sleep(2000); // and no other
  await server.end('SIGTERM');
  expect(await instance.chains()).toEqual([others, needed, current].sort());
});
