// docs/reference/gateway.md#audit: one audit record per request, in the configured sink, without secrets.
import {
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAuditLog, type AuditSink } from '../../router/edge/audit/audit-log.ts';
import { type AuditRecord, timestampOf } from '../../router/edge/audit/audit-record.ts';
import { fileSink } from '../../router/edge/audit/file-sink.ts';
import { postgresSink } from '../../router/edge/audit/postgres-sink.ts';
import { stdoutSink } from '../../router/edge/audit/stdout-sink.ts';
import { freshDatabase } from '../testkit/database.ts';
import { startGateway } from './gateway-testkit.ts';
import { rawRequest } from './raw-http.ts';

const silent = pino({ level: 'silent' });
const record = (n: number, more: Partial<AuditRecord> = {}): AuditRecord => ({
  timestamp: '2026-01-31T09:30:00.123Z',
  request_id: '7b0f5c7e-5a39-4b3e-9d3c-000000000000',
  actor: 'user:a',
  method: 'GET',
  path: `/p/${n}`,
  status: 200,
  latency_ms: 1.5,
  ip: '127.0.0.1',
  ...more,
});
const paths = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as AuditRecord).path);

async function inDirectory(run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'cairn-'));
  try {
    await run(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

test('every request leaves one record, failures and health included, with the query and every secret left out', async () => {
  await using gateway = await startGateway({
    routes: [
      {
        method: 'GET',
        path: '/api/v1/gateway/test/named',
        access: 'public',
        handle: (x) => {
          x.operationName = 'Entities';
          x.res.end();
        },
      },
    ],
  });
  const key = await gateway.keyFor('viewer');
  const bad = `${key.slice(0, -1)}x`;
  await gateway.fetch('/api/v1/metadata/entities/e1?token=hush', { key });
  await gateway.fetch('/api/v1/metadata/entities/e1', { headers: { authorization: `Bearer ${bad}` } });
  await gateway.fetch('/api/v1/artifact/cache/1', { key, method: 'DELETE' });
  await gateway.fetch('/api/v1/gateway/health');
  await gateway.fetch(`/api/v1/metadata/entities/${key}`, { key });
  await rawRequest(gateway.port, 'GET /api/v1/../x HTTP/1.1');
  await gateway.fetch('/api/v1/gateway/test/named');
  const records = await gateway.audited();
  expect(
    records.map(({ actor, method, path: at, status, operation }) => [actor, method, at, status, operation]),
  ).toEqual([
    ['user:viewer', 'GET', '/api/v1/metadata/entities/e1', 200, undefined],
    ['anonymous', 'GET', '/api/v1/metadata/entities/e1', 401, undefined],
    ['user:viewer', 'DELETE', '/api/v1/artifact/cache/1', 403, undefined],
    ['anonymous', 'GET', '/api/v1/gateway/health', 200, undefined],
    ['user:viewer', 'GET', '/api/v1/metadata/entities/sk_…', 200, undefined],
    ['anonymous', 'GET', '/api/v1/../x', 400, undefined],
    ['anonymous', 'GET', '/api/v1/gateway/test/named', 200, 'Entities'],
  ]);
  for (const { ip, latency_ms: latency, timestamp, request_id: id } of records) {
    expect(ip).toBe('127.0.0.1');
    expect(latency).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(30_000);
    expect(id).toMatch(/^[\da-f-]{36}$/);
  }
  expect(JSON.stringify(records)).not.toContain(key.slice(3, 30));
  expect(JSON.stringify(records)).not.toContain('hush');
});

test('the id in the record is the one that the client got', async () => {
  await using gateway = await startGateway();
  const answer = await gateway.fetch('/livez');
  expect((await gateway.audited())[0]?.request_id).toBe(answer.headers.get('x-request-id'));
});

test('a client that leaves without its answer is recorded too', async () => {
  let entered: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    entered = resolve;
  });
  await using gateway = await startGateway({
    routes: [{ method: 'GET', path: '/api/v1/gateway/test/hang', access: 'public', handle: () => entered() }],
  });
  const abort = new AbortController();
  const answer = gateway
    .fetch('/api/v1/gateway/test/hang', { signal: abort.signal })
    .catch((error: unknown) => error);
  await arrived;
  abort.abort();
  await answer;
  await expect.poll(async () => (await gateway.audited()).map(({ status }) => status)).toEqual([499]);
});

test('the file sink writes JSON lines, sets aside what has grown large, and keeps so many files', async () => {
  await inDirectory(async (dir) => {
    const file = path.join(dir, 'deep', 'audit.jsonl');
    const log = createAuditLog(fileSink({ path: file, rotateAt: 400, keep: 2 }), silent);
    for (let n = 0; n < 8; n++) {
      log.record(record(n));
      await log.flush();
    }
    await log.close();
    expect((await readdir(path.dirname(file))).sort()).toEqual([
      'audit.jsonl',
      'audit.jsonl.1',
      'audit.jsonl.2',
    ]);
    const kept = await Promise.all(
      [`${file}.2`, `${file}.1`, file].map(async (name) => paths(await readFile(name, 'utf8'))),
    );
    expect(kept).toEqual([
      ['/p/2', '/p/3'],
      ['/p/4', '/p/5'],
      ['/p/6', '/p/7'],
    ]);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'in a folder of another account root follows no link, and gives nothing away that is elsewhere (needs root)',
  async () => {
    await inDirectory(async (dir) => {
      const [folder, elsewhere] = [path.join(dir, 'theirs'), path.join(dir, 'ours')];
      await mkdir(folder);
      await chown(folder, 65534, 65534);
      await writeFile(elsewhere, '');
      const [linked, named, made] = ['linked', 'named', 'made'].map((name) => path.join(folder, name));
      await symlink(elsewhere, linked ?? '');
      await link(elsewhere, named ?? '');
      await expect(fileSink({ path: linked ?? '' }).write([record(1)])).rejects.toThrow('ELOOP');
      for (const file of [named, made]) await fileSink({ path: file ?? '' }).write([record(1)]);
      expect((await stat(elsewhere)).uid).toBe(0);
      expect((await stat(made ?? '')).uid).toBe(65534);
    });
  },
);

test('a restart appends to the file, and close loses nothing', async () => {
  await inDirectory(async (dir) => {
    const file = path.join(dir, 'audit.jsonl');
    for (let run = 0; run < 2; run++) {
      const log = createAuditLog(fileSink({ path: file }), silent);
      for (let n = 0; n < 5000; n++) log.record(record(run * 5000 + n));
      await log.close();
    }
    expect(paths(await readFile(file, 'utf8'))).toEqual(Array.from({ length: 10_000 }, (_, n) => `/p/${n}`));
  });
});

test('the postgres sink writes rows, with characters that PostgreSQL cannot store replaced', async () => {
  await using database = await freshDatabase();
  const log = createAuditLog(postgresSink(database.pool), silent);
  log.record(record(1, { operation: 'Q' }));
  log.record(record(2, { path: '/nul/\u0000', actor: 'service:ä' }));
  await log.close();
  const { rows } = await database.pool.query(
    'SELECT request_id, actor, method, path, status, latency_ms, ip, operation_name, timestamp FROM gateway.audit_record ORDER BY id',
  );
  expect(rows).toEqual([
    {
      request_id: '7b0f5c7e-5a39-4b3e-9d3c-000000000000',
      actor: 'user:a',
      method: 'GET',
      path: '/p/1',
      status: 200,
      latency_ms: 1.5,
      ip: '127.0.0.1',
      operation_name: 'Q',
      timestamp: new Date('2026-01-31T09:30:00.123Z'),
    },
    expect.objectContaining({ path: '/nul/\ufffd', actor: 'service:ä', operation_name: null }) as unknown,
  ]);
  expect(log.lost).toBe(0);
});

test('the stdout sink writes JSON lines', async () => {
  let out = '';
  const log = createAuditLog(
    stdoutSink(
      new Writable({
        write(chunk: Buffer, _, done) {
          out += chunk.toString();
          done();
        },
      }),
    ),
    silent,
  );
  log.record(record(1));
  log.record(record(2));
  await log.close();
  expect(paths(out)).toEqual(['/p/1', '/p/2']);
});

test('times are written as ISO 8601, whatever their order', () => {
  for (const ms of [0, 1_795_283_254_007, 1_795_283_254_999, 1_795_283_255_000, 999, 1_795_283_254_070.9])
    expect(timestampOf(ms)).toBe(new Date(ms).toISOString());
});

test('a flush with nothing to write does not delay later records', async () => {
  const written: AuditRecord[] = [];
  const log = createAuditLog(
    {
      write: (batch) => {
        written.push(...batch);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    },
    silent,
  );
  await log.flush();
  log.record(record(1));
  await log.flush();
  expect(paths(JSON.stringify(written[0]))).toEqual(['/p/1']);
});

test('a sink that fails fails no request, is counted, shown by health, and recovers', async () => {
  let broken = true;
  const written: AuditRecord[] = [];
  const flaky: AuditSink = {
    write: (batch) => {
      if (broken) return Promise.reject(new Error('disk full'));
      written.push(...batch);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  await using gateway = await startGateway({ auditSink: flaky });
  gateway.audit.record(record(1));
  await gateway.audit.flush();
  expect([gateway.audit.lost, gateway.audit.failure]).toEqual([1, 'disk full']);
  const health = await gateway.fetch('/api/v1/gateway/health');
  expect([health.status, await health.json()]).toEqual([
    200,
    expect.objectContaining({
      status: 'degraded',
      bridge: 'healthy',
      audit: { lost: 1 },
      problems: [{ code: 'audit_failing', detail: '1 record lost' }],
    }) as unknown,
  ]);
  await gateway.audited();
  broken = false;
  expect((await gateway.fetch('/livez')).status).toBe(200);
  await gateway.audited();
  expect(gateway.audit.failure).toBeUndefined();
  expect(written.map(({ path: at }) => at)).toEqual(['/livez']);
});

test('the file sink recovers when the file can be written again', async () => {
  await inDirectory(async (dir) => {
    const blocked = path.join(dir, 'blocked');
    await writeFile(blocked, 'a file where a folder should be');
    const log = createAuditLog(fileSink({ path: path.join(blocked, 'audit.jsonl') }), silent);
    log.record(record(1));
    await log.flush();
    expect(log.lost).toBe(1);
    await rm(blocked);
    log.record(record(2));
    await log.close();
    expect(paths(await readFile(path.join(blocked, 'audit.jsonl'), 'utf8'))).toEqual(['/p/2']);
  });
});

test('a sink that hangs drops records instead of filling memory', () => {
  const log = createAuditLog(
    { write: () => new Promise(() => undefined), close: () => Promise.resolve() },
    silent,
  );
  for (let n = 0; n < 50_010; n++) log.record(record(n));
  expect(log.lost).toBe(10);
});
