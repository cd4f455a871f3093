// What is not a whole archive of this version, or contradicts itself, is refused, and leaves the instance empty; what is
// there is not overwritten (docs/reference/archives.md#import).
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import tar from 'tar-stream';
import { parseConfig } from '../../platform/config/load-config.ts';
import { openImporter } from '../../standalone/archives.ts';
import type { Importer } from '../../standalone/archives/restore.ts';
import { openChecker } from '../../standalone/check-archive.ts';
import { sha256 } from '../artifact/stored-files.ts';
import { asSuperuser } from '../testkit/database.ts';
import { exported, imported, type Instance, log, startInstance } from './archive-testkit.ts';
import { makeHistory } from './random-history.ts';

let source: Instance & AsyncDisposable;
let target: Instance & AsyncDisposable;
let archive: Buffer;
let checker: Importer;

beforeAll(async () => {
  source = await startInstance();
  await makeHistory(source, 7, 60);
  for (const id of ['f:1', 'f:2']) {
    await source.rest('POST', '/api/v1/metadata/ingest', { body: { id, entity_type: 'Sample', data: {} } });
    const content = `file of ${id}`;
    const { status } = await source.rest(
      'PUT',
      `/api/v1/artifact/files/${sha256(content)}?name=a.txt&entity_id=${id}&field=uri`,
      { body: content },
    );
    expect(status).toBeLessThan(300);
  }
  archive = (await exported(source.config)).bytes;
  target = await startInstance();
  checker = await openChecker({ log });
});
afterAll(async () => {
  await checker.close();
  await source[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

interface Entry {
  readonly header: tar.Headers;
  readonly content: Buffer;
}

async function entriesOf(bytes: Buffer): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of Readable.from([bytes]).pipe(tar.extract())) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    found.push({ header: entry.header, content: Buffer.concat(chunks) });
  }
  return found;
}

async function packed(entries: readonly Entry[]): Promise<Buffer> {
  const pack = tar.pack();
  for (const { header, content } of entries) pack.entry({ ...header, size: content.length }, content);
  pack.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of pack as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** With a manifest that is right again, as somebody makes it who forges an archive. */
function signed(entries: readonly Entry[]): Entry[] {
  const named = entries.find(({ header }) => header.name === 'manifest.json');
  const manifest = JSON.parse(String(named?.content)) as {
    sections: Record<string, unknown>;
    files: unknown;
  };
  for (const section of Object.keys(manifest.sections)) {
    const parts = Buffer.concat(
      entries.filter(({ header }) => header.name.startsWith(`${section}/`)).map(({ content }) => content),
    );
    manifest.sections[section] = {
      rows: String(parts).split('\n').length - 1,
      bytes: parts.length,
      sha256: createHash('sha256').update(parts).digest('hex'),
    };
  }
  const files = entries.filter(({ header }) => header.name.startsWith('files/'));
  manifest.files = {
    count: files.length,
    bytes: files.reduce((sum, { content }) => sum + content.length, 0),
  };
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  return entries.map((entry) => (entry === named ? { ...entry, content: text } : entry));
}

/** The archive with the lines of a table changed, and signed again. */
async function forged(section: string, change: (lines: string[]) => string[]): Promise<Buffer> {
  const entries = await entriesOf(archive);
  return packed(
    signed(
      entries.map((entry) =>
        entry.header.name.startsWith(`${section}/`)
          ? {
              ...entry,
              content: Buffer.from(
                change(String(entry.content).split('\n').slice(0, -1))
                  .map((line) => `${line}\n`)
                  .join(''),
              ),
            }
          : entry,
      ),
    ),
  );
}

const edited =
  (edit: (row: Record<string, unknown>) => boolean) =>
  (lines: string[]): string[] => {
    let done = false;
    const changed = lines.map((line) => {
      if (done) return line;
      const row = JSON.parse(line) as Record<string, unknown>;
      done = edit(row);
      return done ? JSON.stringify(row) : line;
    });
    if (!done) throw new Error('nothing to forge');
    return changed;
  };

async function afterwards(): Promise<unknown> {
  const rows = await asSuperuser<{ n: number }>(
    `SELECT (SELECT count(*) FROM metadata.provenance)::int + (SELECT count(*) FROM metadata.schema_revision)::int + (SELECT count(*) FROM metadata.entity)::int
      + (SELECT count(*) FROM artifact.stored_object)::int AS n`,
    target.databaseName,
  );
  const stored = await readdir(path.join(target.store, 'sha256'), { recursive: true }).catch(() => []);
  return { rows: rows[0]?.n, stored: stored.filter((name) => path.basename(name).length === 64) };
}

const wholly = (): Promise<Entry[]> => entriesOf(archive);
const file = (name: string, content = ''): Entry => ({
  header: { name, type: 'file' },
  content: Buffer.from(content),
});
type Named = readonly [what: string, make: () => Promise<Buffer>, said: RegExp];

const BROKEN: readonly Named[] = [
  ['nothing', async () => Promise.resolve(Buffer.alloc(0)), /is empty/],
  ['no tar', async () => Promise.resolve(Buffer.from('x'.repeat(2000))), /cut off, or is not a tar/],
  [
    'half of it',
    async () => Promise.resolve(archive.subarray(0, Math.floor(archive.length / 2))),
    /is cut off/,
  ],
  ['no manifest', async () => packed((await wholly()).slice(0, -1)), /no manifest/],
  [
    'a byte that has changed',
    async () => {
      const bytes = Buffer.from(archive);
      bytes.write('E', bytes.indexOf('EntityCreated'));
      bytes.write('X', bytes.indexOf('ntityCreated', bytes.indexOf('log/')));
      return Promise.resolve(bytes);
    },
    /refused|stored|is damaged/,
  ],
  [
    'another version',
    async () =>
      packed(
        (await wholly()).map((entry, i) =>
          i === 0
            ? {
                ...entry,
                content: Buffer.from(String(entry.content).replace('"version": 1', '"version": 2')),
              }
            : entry,
        ),
      ),
    /has version 2/,
  ],
  [
    'a path that leads out',
    async () => packed([...(await wholly()).slice(0, 2), file('../../etc/passwd', 'x')]),
    /does not belong there/,
  ],
  [
    'a link',
    async () =>
      packed([
        ...(await wholly()).slice(0, 1),
        {
          header: { name: 'schemas/00000001.ndjson', type: 'symlink', linkname: '/etc/passwd' },
          content: Buffer.alloc(0),
        },
      ]),
    /not a file/,
  ],
  [
    'entries after the manifest',
    async () => packed([...(await wholly()), file('log/00000002.ndjson')]),
    /goes on after/,
  ],
  [
    'tables in another order',
    async () => {
      const entries = await wholly();
      return packed([entries[0], entries[2], entries[1], ...entries.slice(3)].filter((e) => e !== undefined));
    },
    /does not belong there/,
  ],
  [
    'counts that are not right',
    async () =>
      packed(
        (await wholly()).map((entry) =>
          entry.header.name === 'manifest.json'
            ? {
                ...entry,
                content: Buffer.from(String(entry.content).replace(/"rows": (\d+)/, '"rows": 1$1')),
              }
            : entry,
        ),
      ),
    /is not what the manifest says/,
  ],
  [
    'a file with another content',
    async () =>
      packed(
        (await wholly()).map((entry) =>
          entry.header.name.startsWith('files/')
            ? { ...entry, content: Buffer.from(String(entry.content).replace('o', '0')) }
            : entry,
        ),
      ),
    /another hash/,
  ],
  [
    'a file that no entity has',
    async () => {
      const entries = await wholly();
      return packed(
        signed([...entries.slice(0, -1), file(`files/${'f'.repeat(64)}`, 'x'), ...entries.slice(-1)]),
      );
    },
    /do not name/,
  ],
  [
    'a file less',
    async () => {
      const entries = await wholly();
      const last = entries.findLast(({ header }) => header.name.startsWith('files/'));
      return packed(signed(entries.filter((entry) => entry !== last)));
    },
    /lacks files/,
  ],
  ['a line that is no JSON', () => forged('log', (lines) => ['{', ...lines]), /is not JSON/],
  [
    'a line that is nested too deeply',
    () =>
      forged(
        'log',
        edited((row) => ((row['payload'] = JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`)), true)),
      ),
    /nested too deeply/,
  ],
  [
    'unknown members',
    () =>
      forged(
        'entities',
        edited((row) => ((row['more'] = 1), true)),
      ),
    /other members/,
  ],
  [
    'U+0000',
    () =>
      forged(
        'log',
        edited((row) => ((row['actor'] = 'a\u0000'), true)),
      ),
    /cannot be stored/,
  ],
];
const CONTRADICTING: readonly Named[] = [
  [
    'a state that no event tells',
    () =>
      forged(
        'entities',
        edited((row) => ((row['data'] = { ...(row['data'] as object), n: 666 }), true)),
      ),
    /a state that does not follow/,
  ],
  [
    'another version of an entity',
    () =>
      forged(
        'entities',
        edited((row) => ((row['version'] = 9), true)),
      ),
    /state/,
  ],
  ['an entity less', () => forged('entities', (lines) => lines.slice(1)), /contradicts itself/],
  ['a state less', () => forged('states', (lines) => lines.slice(1)), /contradicts itself/],
  ['an event less', () => forged('log', (lines) => lines.toSpliced(10, 1)), /contradicts itself/],
  [
    'events at one time',
    () => {
      let before: unknown;
      return forged(
        'log',
        edited((row) => {
          if (before === undefined) return ((before = row['timestamp']), false);
          row['timestamp'] = before;
          return true;
        }),
      );
    },
    /contradicts itself|cannot be stored/,
  ],
  [
    'events of the future',
    () =>
      forged('log', (lines) => [
        ...lines.slice(0, -1),
        (lines.at(-1) ?? '').replace(/"timestamp":"20\d\d/, '"timestamp":"2999'),
      ]),
    /events of the future/,
  ],
  [
    'an entity of a project that its data do not name',
    () =>
      forged(
        'entities',
        edited((row) => ((row['project'] = 'theirs'), true)),
      ),
    /project/,
  ],
  ['a relationship less', () => forged('relationships', (lines) => lines.slice(1)), /relationship/],
  [
    'an external id of another entity',
    () =>
      forged(
        'external-ids',
        edited((row) => ((row['entity_id'] = 'f:1'), true)),
      ),
    /external id/,
  ],
  [
    'a schema that cannot be read',
    () =>
      forged(
        'schemas',
        edited((row) => ((row['definition'] = '{}'), true)),
      ),
    /schema/,
  ],
  [
    'a schema whose rule is none',
    () =>
      forged(
        'schemas',
        edited((row) => {
          const definition = JSON.parse(String(row['definition'])) as object;
          row['definition'] = JSON.stringify({ ...definition, rules: [{ rule_id: 'r', expression: '((' }] });
          return true;
        }),
      ),
    /schema that cannot be registered/,
  ],
  [
    'a file of no entity',
    () =>
      forged(
        'entity-files',
        edited((row) => ((row['entity_id'] = 'nobody'), true)),
      ),
    /file of no entity/,
  ],
];

test.each([...BROKEN, ...CONTRADICTING])(
  'an archive with %s is refused, and nothing of it stays',
  async (_, make, said) => {
    const bytes = await make();
    await expect(imported(target.config, bytes)).rejects.toThrow(said);
    expect(await afterwards()).toEqual({ rows: 0, stored: [] });
  },
);

test.each([...BROKEN, ...CONTRADICTING])('a check finds an archive with %s', async (_, make, said) => {
  await expect(checker.read(Readable.from([await make()]))).rejects.toThrow(said);
});

test('a check of a whole archive says what an import would, and leaves nothing', async () => {
  const { summary } = await exported(source.config);
  for (let i = 0; i < 2; i++) expect(await checker.read(Readable.from([archive]))).toEqual(summary);
  const before = (await readdir(os.tmpdir())).filter((name) => name.startsWith('cairn-check-'));
  const other = await openChecker({ log });
  expect(await other.read(Readable.from([archive]))).toEqual(summary);
  await other.close();
  expect((await readdir(os.tmpdir())).filter((name) => name.startsWith('cairn-check-'))).toEqual(before);
});

test('headers and lines that never end are refused before they fill the memory', async () => {
  const header = Buffer.alloc(512);
  header.write('PaxHeader', 0);
  header.write('0000644\0', 100);
  header.write('77777777777\0', 124);
  header.write('        ', 148);
  header.write('x', 156);
  header.write('ustar\x0000', 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  const forever = async function* (first: Buffer, filler: Buffer): AsyncGenerator<Buffer> {
    yield first;
    for (let i = 0; i < 4096; i++) yield Promise.resolve(filler);
  };
  const filler = Buffer.alloc(64 * 1024, 'a');
  await expect(checker.read(Readable.from(forever(header, filler)))).rejects.toThrow(
    'headers that are too long',
  );
  const [first] = await entriesOf(archive);
  if (first === undefined) throw new Error('an archive without entries');
  const begun = (await packed([first])).subarray(0, -1024);
  const line = Buffer.from(header);
  line.fill(0, 0, 100);
  line.write('schemas/00000001.ndjson', 0);
  line.write('0', 156);
  line.write('        ', 148);
  line.write(
    `${line
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  await expect(checker.read(Readable.from(forever(Buffer.concat([begun, line]), filler)))).rejects.toThrow(
    /a line of more than/,
  );
});

test('an instance that is not empty is not touched, and says so', async () => {
  await expect(imported(source.config, archive)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('not empty') as string,
  });
  expect((await exported(source.config)).bytes.equals(archive)).toBe(true);
});

test('an import needs the role that owns the database, and a database on this machine', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-archive-'));
  const configWith = (yaml: string, url: string) =>
    parseConfig(yaml, path.join(dir, 'gateway.yaml'), {
      env: { CAIRN_DATA_DIR: dir, DATABASE_URL: url },
      cwd: dir,
    });
  const importer = await openImporter({ config: configWith('', target.database.url), log });
  await expect(importer.read(Readable.from([archive]))).rejects.toThrow('may become cairn_owner');
  await importer.close();
  const split = configWith('components: {artifact: {url: "http://127.0.0.1:9"}}', target.database.url);
  await expect(openImporter({ config: split, log })).rejects.toThrow('component artifact runs elsewhere');
  await rm(dir, { recursive: true });
});

test('exports and imports are in the audit log, by the account of the machine, and not in the archive', async () => {
  await using third = await startInstance();
  const { id } = await imported(third.config, archive);
  expect((await exported(third.config)).bytes.equals(archive)).toBe(true);
  const rows = await asSuperuser<{
    actor: string;
    status: number;
    changes: { action: string; subject: string }[];
  }>(
    `SELECT actor, status, changes FROM gateway.audit_record WHERE method = 'CLI' AND path IN ('export', 'import') ORDER BY id`,
    third.databaseName,
  );
  expect(rows.map(({ status, changes }) => [status, changes[0]?.action, changes[0]?.subject])).toEqual([
    [200, 'archive.import', id],
    [200, 'archive.export', id],
  ]);
  expect(rows[0]?.actor).toMatch(/^os:/);
});
