// docs/reference/backups.md#any-moment: what a server archives of its embedded database, through kills and a full place, is
// restored to moments between its backups, with the files of the store.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hash, randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../platform/config/load-config.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { restoreMoment } from '../../standalone/backups.ts';
import { log } from '../archive/archive-testkit.ts';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { scratchFolder } from './backup-testkit.ts';

const PASSPHRASE = 'the passphrase of a test';
const ENV = { CAIRN_BACKUP_PASSPHRASE: PASSPHRASE };

class Archived {
  readonly #folder: string;
  readonly place: string;
  constructor(folder: string, place = path.join(folder, 'place')) {
    this.#folder = folder;
    this.place = place;
    chmodSync(folder, 0o711); // PostgreSQL is another user's
  }

  async configured(): Promise<Record<string, string>> {
    const file = path.join(this.#folder, 'gateway.yaml');
    const archive = `{to: "${this.place}", passphrase_env: CAIRN_BACKUP_PASSPHRASE, every_seconds: 1, base_hours: 1}`;
    await writeFile(file, `database: {archive: ${archive}}\nobservability: {health: {cache_seconds: 0}}\n`);
    return { ...ENV, CAIRN_CONFIG: file };
  }

  /** A configuration whose data directory is empty. */
  into(name: string): Config {
    return parseConfig('{}\n', path.join(this.#folder, 'other.yaml'), {
      env: { CAIRN_DATA_DIR: path.join(this.#folder, name) },
      cwd: this.#folder,
    });
  }

  restore(config: Config, until: string): ReturnType<typeof restoreMoment> {
    return restoreMoment({
      config,
      log,
      place: this.place,
      until,
      cwd: this.#folder,
      secrets: { passphrase: PASSPHRASE },
      revokeSessions: false,
      pauseTriggers: false,
      actor: 'os:test',
    });
  }
}

async function call(server: ServerProcess, method: string, at: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(server.url + at, {
    method,
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${text}`);
  return text.startsWith('{') ? JSON.parse(text) : text;
}

const ingest = (server: ServerProcess, id: string, n: number): Promise<unknown> =>
  call(server, 'POST', '/api/v1/metadata/ingest', { entity_type: 'Scan', id, data: { n } });

const register = (server: ServerProcess): Promise<unknown> =>
  call(server, 'POST', '/api/v1/metadata/schemas', {
    name: 'Scan',
    version: '1',
    fields: [
      { name: 'n', field_type: 'int' },
      { name: 'uri', field_type: 'uri' },
    ],
  });

const attach = (server: ServerProcess, content: Buffer, id: string): Promise<unknown> =>
  call(
    server,
    'PUT',
    `/api/v1/artifact/files/${hash('sha256', content)}?name=s&entity_id=${id}&field=uri`,
    content,
  );

/** The values of `n`, by id. */
async function values(server: ServerProcess): Promise<Record<string, number>> {
  const { data } = (await call(server, 'GET', '/api/v1/metadata/entities?entity_type=Scan')) as {
    data: { items: { id: string; data: { n: number } }[] };
  };
  return Object.fromEntries(data.items.map(({ id, data: { n } }) => [id, n]));
}

/** A server over what was restored: keys are those of before, the file with the first one is not in an archive. */
async function served(config: Config, { key }: ServerProcess): Promise<ServerProcess> {
  await mkdir(config.database.dataDir, { recursive: true });
  await writeFile(path.join(config.database.dataDir, 'admin-key'), key);
  return startProcess({ dataDir: config.database.dataDir });
}

/** Until everything of now is archived. */
async function archived(dataDir: string): Promise<void> {
  const now = new Date().toISOString();
  await expect
    .poll(async () => readFile(path.join(dataDir, 'postgres', 'archive.json'), 'utf8').catch(() => '{}'), {
      timeout: 120_000,
    })
    .toSatisfy(
      (text: string) => ((JSON.parse(text) as { archivedUntil?: string }).archivedUntil ?? '') > now,
    );
}

/** On record: which archive was restored, and to which instant. */
const recordsOf = (
  { place }: Archived,
  { chain, position }: Awaited<ReturnType<typeof restoreMoment>>,
  moment: string,
) => {
  const at = moment.replace('Z', '000Z'); // in microseconds
  const told = { id: chain, kind: 'archive', destination: place, encrypted: true, actor: 'os:test' };
  const ended = { status: 'completed', finished_at: null, restored_at: expect.any(String) as string };
  return {
    backups: [{ ...told, ...ended, started_at: at, position: String(position), lost_files: 0 }],
    last_completed_at: null, // no backup was made
  };
};

const LIST_OF_BACKUPS = {
  backups: [],
  archive: {
    status: 'archiving',
    archived_until: expect.any(String) as string,
    position: expect.stringMatching(/^\d+$/) as string,
  },
};

test(
  'a moment, a position and the end are restored, after kills of the server and of a restore',
  {
    timeout: 900_000,
  },
  async () => {
    await using folder = await scratchFolder();
    const instance = new Archived(folder.dir);
    const env = await instance.configured();
    const dataDir = path.join(folder.dir, 'data');
    let server = await startProcess({ dataDir, env });
    await archived(dataDir); // the first base backup
    await register(server);
    for (let i = 0; i < 5; i++) await ingest(server, `s:${i}`, i);
    const content = randomBytes(100_000);
    await attach(server, content, 's:1');
    await archived(dataDir);
    expect(await call(server, 'GET', '/api/v1/gateway/backups')).toMatchObject(LIST_OF_BACKUPS);
    const moment = new Date().toISOString();
    await server.end('SIGKILL');

    server = await startProcess({ dataDir, env });
    await call(server, 'DELETE', `/api/v1/artifact/cache/sha256:${hash('sha256', content)}`);
    for (let i = 0; i < 5; i++)
      await call(server, 'PUT', `/api/v1/metadata/entities/Scan/s:${i}`, { data: { n: -i } });
    await server.end('SIGTERM'); // which archives the rest

    const config = instance.into('restored');
    const killed = spawn(
      process.execPath,
      ['cli/cairn.mjs', 'restore', instance.place, '--until', 'latest'],
      {
        cwd: projectRoot,
        env: { ...process.env, ...ENV, CAIRN_CONFIG: '', CAIRN_DATA_DIR: config.database.dataDir },
        stdio: 'ignore',
      },
    );
    const ended = once(killed, 'exit');
    await expect
      .poll(
        () => readFile(path.join(config.database.dataDir, 'postgres/restoring'), 'utf8').catch(() => ''),
        {
          timeout: 120_000,
        },
      )
      .not.toBe('');
    await sleep(1000); // somewhere within
    killed.kill('SIGKILL');
    await ended;
    await expect(served(config, server)).rejects.toThrow('a restore into this data directory has not ended');

    const restored = await instance.restore(config, moment);
    expect(restored).toMatchObject({ lost: [], files: { count: 1, bytes: content.length } });
    await expect(instance.restore(config, 'latest')).rejects.toThrow('the data directory is not empty');
    const second = await served(config, server);
    expect(await values(second)).toEqual({
      's:0': 0,
      's:1': 1,
      's:2': 2,
      's:3': 3,
      's:4': 4,
    });
    const file = await fetch(`${second.url}/api/v1/metadata/entities/s:1/files/uri`, {
      headers: { 'x-api-key': server.key },
    });
    expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
    await ingest(second, 's:9', 9); // and it goes on
    expect(await call(second, 'GET', '/api/v1/gateway/backups')).toMatchObject(
      recordsOf(instance, restored, moment),
    );
    await second.end('SIGTERM');

    const position = (restored.position ?? 0) - 3; // of the entities, and not of what followed
    const atPosition = await instance.restore(instance.into('at-position'), String(position));
    expect(atPosition.position).toBe(position);
    const atEnd = instance.into('at-end');
    await instance.restore(atEnd, 'latest');
    const third = await served(atEnd, server);
    // s:1 is not available: its file was evicted
    expect(Object.values(await values(third))).toEqual([0, -2, -3, -4]);
    await third.end('SIGTERM');
    await expect(instance.restore(instance.into('none'), '2001-01-01T00:00:00Z')).rejects.toThrow(
      'begins after',
    );
    await expect(instance.restore(instance.into('none'), '2999-01-01T00:00:00Z')).rejects.toThrow(
      'ends before',
    );
  },
);

test.skipIf(process.getuid?.() !== 0)(
  'a full place keeps no write from being made; health says so, and what follows is archived',
  async () => {
    await using folder = await scratchFolder();
    const disk = path.join(folder.dir, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=30m', 'tmpfs', disk]);
    try {
      const instance = new Archived(folder.dir, disk);
      const dataDir = path.join(folder.dir, 'data');
      const server = await startProcess({ dataDir, env: await instance.configured() });
      await archived(dataDir);
      await register(server);
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${disk}/filler bs=1M 2>/dev/null || true`]);
      await ingest(server, 's:0', 0);
      const health = async () =>
        (await fetch(`${server.url}/api/v1/gateway/health`)).json() as Promise<{
          status: string;
          problems?: object[];
        }>;
      await expect.poll(health).toMatchObject({
        status: 'degraded',
        problems: [{ code: 'archive_failing' }],
      });
      await ingest(server, 's:1', 1);
      execFileSync('rm', [`${disk}/filler`]);
      await archived(dataDir);
      expect((await health()).problems).toBeUndefined();
      await server.end('SIGTERM');
      const config = instance.into('restored');
      await instance.restore(config, 'latest');
      const second = await served(config, server);
      expect(await values(second)).toEqual({ 's:0': 0, 's:1': 1 });
      await second.end('SIGTERM');
    } finally {
      await sleep(100);
      execFileSync('umount', ['-l', disk]);
    }
  },
);
