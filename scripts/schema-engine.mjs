// Runs Prisma's WebAssembly schema engine over `pg` and adapts the two to each other.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';

const CATALOGUE_CHAR = 18; // the catalogue's own type "char"
const TEXT = 25;

async function loadEngine() {
  const require = createRequire(import.meta.url);
  const glueFile = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  // Node 20 and 22 cannot import a .wasm file, so it is instantiated here.
  const { instance } = await WebAssembly.instantiate(
    readFileSync(path.join(path.dirname(glueFile), 'schema_engine_bg.wasm')),
    { './schema_engine_bg.js': glue },
  );
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    message: '',
    set_message(text) {
      this.message = text;
      console.error(text);
    },
    get() {
      return this.message;
    },
  };
  return glue.SchemaEngine;
}

const onServer = async (url, sql) => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/**
 * The adapter has no mapping for "char", which describing a schema needs. Read such columns as text, then
 * restore their type.
 */
async function connect(url) {
  let charColumns = [];
  const asText = (result) => {
    for (const { fields = [] } of [result].flat()) {
      charColumns = fields.flatMap((field, i) => (field.dataTypeID === CATALOGUE_CHAR ? [i] : []));
      for (const i of charColumns) fields[i].dataTypeID = TEXT;
    }
    return result;
  };
  class Client extends pg.Client {
    query(...args) {
      const callback = args.at(-1);
      if (typeof callback === 'function')
        args[args.length - 1] = (error, result) => callback(error, result && asText(result));
      const pending = super.query(...args);
      return typeof pending?.then === 'function' ? pending.then(asText) : pending;
    }
  }
  const adapter = await new PrismaPg({ connectionString: url, Client, max: 1 }).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const i of charColumns) result.columnTypes[i] = ColumnTypeEnum.Character;
    return result;
  };
  // The adapter would split the script at every semicolon, including those in function bodies.
  adapter.executeScript = (script) => onServer(url, script);
  return adapter;
}

/**
 * Creates an engine for the given schema files. Its shadow database is a scratch database on the server of
 * `url`, which `dispose` drops.
 */
export async function createSchemaEngine(url, files) {
  const SchemaEngine = await loadEngine();
  const shadow = `shadow_${process.pid}_${Date.now()}`;
  let shadowMade = false;
  const adapter = bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(url),
    async connectToShadowDb() {
      // The adapter's own version would return the main database.
      await onServer(url, `CREATE DATABASE "${shadow}" TEMPLATE template0`);
      shadowMade = true;
      return connect(Object.assign(new URL(url), { pathname: `/${shadow}` }).href);
    },
  });
  const engine = await SchemaEngine.new(
    { datamodels: files.map(({ path: file, content }) => [file, content]) },
    () => {},
    adapter,
  );
  return {
    diff: (input) => engine.diff(input),
    async dispose() {
      engine.free();
      if (shadowMade) await onServer(url, `DROP DATABASE IF EXISTS "${shadow}" WITH (FORCE)`);
    },
  };
}
