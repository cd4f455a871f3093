// The migration determines the documents of older rules' workflows where possible; other rules are marked.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { applyMigrations, migrationsDir, migrationState } from '../../platform/database/migrations.ts';
import { ensureRoles, OWNER } from '../../platform/database/roles.ts';
import { addressOf, identifyWorkflow } from '../../subgraphs/artifact/cwl-source/workflow-identity.ts';
import { scratchDatabase } from '../testkit/database.ts';

const MIGRATION = '20261128090000_workflows_by_all_documents';

interface Before {
  readonly rule: string;
  readonly url: string | null;
  readonly hash: string;
  readonly day: number;
}

const many = [
  'https://a.test/w/main.cwl',
  'https://a.test/w/deep/tool.cwl',
  'https://a.test/lib/x.cwl?v=1',
  'https://b.test/y.cwl',
  'https://a.test/w/o d',
].map((url, i) => ({ url: encodeURI(url), hash: `sha256:m${i}` }));
const alone = [{ url: 'https://inline.invalid/workflow.cwl', hash: 'sha256:alone' }];
const packed = [{ url: 'https://a.test/packed.cwl', hash: 'sha256:packed' }];

const rules: readonly Before[] = [
  { rule: 'many', url: 'https://a.test/w/main.cwl', hash: 'sha256:m0', day: 1 },
  { rule: 'again', url: 'https://a.test/w/main.cwl', hash: 'sha256:m0', day: 2 },
  { rule: 'alone', url: null, hash: 'sha256:alone', day: 1 },
  { rule: 'same', url: 'https://c.test/elsewhere.cwl', hash: 'sha256:alone', day: 2 },
  { rule: 'left', url: 'https://a.test/packed.cwl#left', hash: 'sha256:packed', day: 1 },
  { rule: 'right', url: 'https://a.test/packed.cwl#right', hash: 'sha256:packed', day: 2 },
  { rule: 'lost', url: 'https://a.test/lost.cwl', hash: 'sha256:lost', day: 1 },
];

test('the first rule with a main document keeps its documents, by the hash that registration gives; a later one of several documents is marked', async () => {
  await using scratch = await scratchDatabase({ empty: true });
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-migrations-'));
  const client = new pg.Client(scratch.superuserUrl);
  await client.connect();
  try {
    await cp(migrationsDir, dir, { recursive: true });
    const later = (await readdir(dir)).filter((name) => name >= MIGRATION && name !== 'migration_lock.toml');
    for (const name of later) await rm(path.join(dir, name), { recursive: true });
    // rights are granted for the tables of all migrations: until those are there, only they are applied
    const migrate = async (): Promise<void> =>
      applyMigrations(client, OWNER, (await migrationState(client, dir)).pending);
    await ensureRoles(client);
    await migrate();

    for (const documents of [many, alone, packed]) {
      await client.query('INSERT INTO artifact.cwl_document (hash, content, parsed) VALUES ($1, $2, $3)', [
        documents[0]?.hash,
        'text',
        { kind: 'Workflow', documents },
      ]);
    }
    await client.query(
      `INSERT INTO artifact.cwl_document (hash, content, parsed) VALUES ('sha256:m1', 'part', 'null')`,
    );
    for (const { rule, url, hash, day } of rules) {
      await client.query(
        `INSERT INTO artifact.rule (name, version, definition, status, scope, cwl_hash, registered_by, registered_at) VALUES ($1, 1, $2, 'active', 'global', $3, 'user:rita', $4)`,
        [
          rule,
          { name: rule, execute: url === null ? { cwl_content: 'eA==' } : { cwl_url: url } },
          hash,
          `2026-01-0${day}`,
        ],
      );
    }

    for (const name of later)
      await cp(path.join(migrationsDir, name), path.join(dir, name), { recursive: true });
    await migrate();
    const { rows } = await client.query<{ name: string; workflow_hash: string | null }>(
      'SELECT name, workflow_hash FROM artifact.rule',
    );
    const known = new Map(rows.map((row) => [row.name, row.workflow_hash]));
    const of = (url: string | null, documents: readonly { url: string; hash: string }[]) =>
      identifyWorkflow(
        addressOf(url === null ? {} : { cwl_url: url }),
        documents.map(({ url: at, hash }) => [at, hash] as const),
      );
    expect(Object.fromEntries(known)).toEqual({
      many: of('https://a.test/w/main.cwl', many).hash,
      again: null,
      alone: of(null, alone).hash,
      same: of(null, alone).hash,
      left: of('https://a.test/packed.cwl#left', packed).hash,
      right: null,
      lost: null,
    });
    const {
      rows: [kept],
    } = await client.query('SELECT parsed, documents FROM artifact.workflow WHERE hash = $1', [
      known.get('many'),
    ]);
    expect(kept).toEqual({
      parsed: { kind: 'Workflow' },
      documents: of('https://a.test/w/main.cwl', many).documents,
    });
  } finally {
    await client.end();
    await rm(dir, { recursive: true, force: true });
  }
});
