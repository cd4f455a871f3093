// Generates code: Prisma's client from prisma/schema.prisma, the types of resolvers from each subgraph's SDL, and
// those of the console's operations.
// Runs after every install, and by hand: node scripts/generate.mjs [--force]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const versionOf = (name) =>
  JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
const digestOf = (texts) =>
  texts.reduce((hash, text) => hash.update(text), createHash('sha256')).digest('hex');

/** Runs a script of Node's that has to succeed. */
function node(what, args, env = {}) {
  const result = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, ...process.env },
  });
  if (result.status !== 0)
    throw new Error(
      `${what} failed:\n${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`,
    );
}

const prismaSchema = path.join(root, 'prisma', 'schema.prisma');
const prismaOutput = path.join(root, 'prisma', 'generated');

/**
 * The schema as Prisma Client has it: it reads and compares instants as text. As `DateTime` they would be
 * JavaScript's, which end at milliseconds (docs/decisions/0070).
 */
const clientSchema = () =>
  readFileSync(prismaSchema, 'utf8')
    .replace(/\bDateTime(\??.*) @db\.Timestamptz\(6\)/g, 'String$1')
    .replace(/^(\s+\w+ +String.*)@default\(now\(\)\)/gm, '$1@default(dbgenerated("now()"))');

const prismaClient = {
  output: path.join(prismaOutput, 'client.ts'),
  /** A hash of the generated client's inputs: the schema's text and Prisma's version. */
  source: () => digestOf([clientSchema(), versionOf('prisma')]),
  generate() {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-generate-'));
    try {
      const schema = path.join(directory, 'schema.prisma');
      writeFileSync(schema, clientSchema());
      node(
        'prisma generate',
        [path.join(root, 'node_modules/prisma/build/index.js'), 'generate', '--no-hints', '--schema', schema],
        // `generate` never runs the native schema engine, but would download it first. Any existing executable
        // prevents that.
        { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
      );
      // the client has the schema's text: were its output here, the same sources would make other bytes in each folder
      rmSync(prismaOutput, { recursive: true, force: true });
      cpSync(path.join(directory, 'generated'), prismaOutput, { recursive: true });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** Folders that hold the SDL of a subgraph, and `models.json`: the TypeScript types that stand for its types. */
const SUBGRAPHS = ['subgraphs/metadata', 'subgraphs/workflow', 'subgraphs/artifact', 'router/gateway-schema'];
const typesScript = path.join(root, 'scripts', 'resolver-types.mjs');

/** Where the types of a subgraph's resolvers come from, and where they go. */
export function resolverTypes(folder) {
  const at = path.join(root, folder);
  return {
    sdlFiles: readdirSync(at, { recursive: true })
      .filter((file) => file.endsWith('.graphql'))
      .sort()
      .map((file) => path.join(at, file)),
    models: path.join(at, 'models.json'),
    output: path.join(at, 'generated', 'resolvers.ts'),
  };
}

const typesOf = (folder) => {
  const { sdlFiles, models, output } = resolverTypes(folder);
  return {
    output,
    source: () =>
      digestOf([
        ...[typesScript, models, ...sdlFiles].map((file) => readFileSync(file)),
        versionOf('@graphql-codegen/typescript-resolvers'),
      ]),
    generate() {
      node(`generating the types of ${folder}`, [typesScript, folder]);
    },
  };
};

const consoleScript = path.join(root, 'scripts', 'console-types.mjs');
const consoleSources = path.join(root, 'console');

/** The types of the console's operations, from the public schema. */
const consoleTypes = {
  output: path.join(consoleSources, 'generated', 'api.ts'),
  source: () =>
    digestOf([
      ...[consoleScript, path.join(root, 'test', 'contract', 'api.graphql')].map((file) =>
        readFileSync(file),
      ),
      ...readdirSync(consoleSources, { recursive: true })
        .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('generated'))
        .sort()
        .map((file) => readFileSync(path.join(consoleSources, file))),
      versionOf('@graphql-codegen/typescript-operations'),
    ]),
  generate() {
    node('generating the types of the console', [consoleScript]);
  },
};

/** Only the compiler reads the types of resolvers: an installation for production has neither it nor their generator. */
const hasTypeGenerator = () =>
  existsSync(path.join(root, 'node_modules', '@graphql-codegen', 'core', 'package.json'));

/** A file beside the output says what it was made from. */
const stampOf = ({ output }) => path.join(path.dirname(output), '.made-from');

const isCurrent = (generator) =>
  existsSync(generator.output) &&
  existsSync(stampOf(generator)) &&
  readFileSync(stampOf(generator), 'utf8') === generator.source();

/** Runs the generators whose output is not current; without `types` only those of what runs. */
export function ensureGenerated({ force = false, types = true } = {}) {
  for (const generator of [
    prismaClient,
    ...(types && hasTypeGenerator() ? [...SUBGRAPHS.map(typesOf), consoleTypes] : []),
  ]) {
    if (!force && isCurrent(generator)) continue;
    generator.generate();
    mkdirSync(path.dirname(generator.output), { recursive: true });
    writeFileSync(stampOf(generator), generator.source());
  }
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureGenerated({ force: process.argv.includes('--force') });
}
