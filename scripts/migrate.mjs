// Compares and creates migrations with Prisma's WebAssembly schema engine: no native binary, no download. The
// server applies migrations at start.
//
//     node scripts/migrate.mjs diff         prints what schema.prisma has and the migrations lack;
//                                           exit status 2 where they differ
//     node scripts/migrate.mjs new <name>   writes the difference as a new migration, to be reviewed and
//                                           completed by hand
//
// It uses a temporary embedded database, or scratch databases on the server that DATABASE_URL names.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  chmodSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createSchemaEngine } from './schema-engine.mjs';
import { build } from './run.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const migrations = path.join(root, 'prisma', 'migrations');
const schemaFile = path.join(root, 'prisma', 'schema.prisma');

/** Returns a server for scratch databases and a function that releases it. */
async function server() {
  if (process.env['DATABASE_URL']) return { url: process.env['DATABASE_URL'], release: async () => {} };
  const { startEmbedded } = await import(
    pathToFileURL(await build('platform/database/embedded/supervise.ts')).href
  );
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cairn-migrate-'));
  chmodSync(dataDir, 0o755);
  const embedded = await startEmbedded({ dataDir, log: console, settings: { fsync: 'off' } });
  return {
    url: embedded.superuserUrl('postgres'),
    async release() {
      await embedded.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the migrations in the engine's input format. */
const migrationsList = () => ({
  baseDir: migrations,
  shadowDbInitScript: '',
  lockfile: {
    path: 'migration_lock.toml',
    content: readFileSync(path.join(migrations, 'migration_lock.toml'), 'utf8'),
  },
  migrationDirectories: readdirSync(migrations, { withFileTypes: true })
    .filter((d) => d.isDirectory())
    .map((d) => d.name)
    .sort()
    .map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(path.join(migrations, name, 'migration.sql'), 'utf8') },
      },
    })),
});

/** Returns the SQL from the migrations to schema.prisma; empty where they agree. */
async function difference() {
  const schema = { files: [{ path: schemaFile, content: readFileSync(schemaFile, 'utf8') }] };
  const { url, release } = await server();
  try {
    const engine = await createSchemaEngine(url, schema.files);
    try {
      const { stdout, exitCode } = await engine.diff({
        from: { tag: 'migrations', ...migrationsList() },
        to: { tag: 'schemaDatamodel', ...schema },
        script: true,
        exitCode: true,
        shadowDatabaseUrl: null,
        filters: { externalTables: [], externalEnums: [] },
      });
      return exitCode === 0 ? '' : stdout;
    } finally {
      await engine.dispose();
    }
  } finally {
    await release();
  }
}

const [command, name = 'change'] = process.argv.slice(2);
if (command !== 'diff' && command !== 'new') {
  console.error('usage: node scripts/migrate.mjs diff | new <name>');
  process.exit(2);
}
const sql = await difference();
if (sql === '') console.log('no difference: the migrations make what schema.prisma says');
else if (command === 'diff') {
  console.log(sql);
  process.exitCode = 2;
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const dir = path.join(migrations, `${stamp}_${name.replace(/\W+/g, '_').toLowerCase()}`);
  if (existsSync(dir)) throw new Error(`${dir} exists`);
  mkdirSync(dir);
  writeFileSync(path.join(dir, 'migration.sql'), sql);
  console.log(
    `wrote ${path.relative(root, dir)}/migration.sql; new tables also need a line in platform/database/roles.ts where they are in metadata`,
  );
}
