// What the tests of directories share.
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { addRule, addSchema, produce, shell, storedFile } from './production-testkit.ts';
import { field } from './schema-field.ts';
import { canary } from './registration-testkit.ts';

export const ROOT = mkdtempSync(path.join(os.tmpdir(), 'cairn-directories-'));

export const SAMPLE = "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}";

/** A directory with a file, an empty directory, a link, and a file further down. */
export const MAKE = shell(
  'mkdir -p made/sub/deep made/none; echo $(inputs.sample) > made/name; echo more > made/sub/deep/er; ln -s ../name made/sub/link',
  'sample: string',
  `uri: {type: Directory, outputBinding: {glob: made}}\n${SAMPLE}`,
);

/** Lists its input, with the content of every file. */
const LIST = shell(
  'cd $(inputs.folder.path) && (basename $PWD; find . | sort; find . -type f | sort | xargs cat) > $(runtime.outdir)/out.txt',
  'folder: Directory\nsample: string',
  `uri: {type: File, outputBinding: {glob: out.txt}}\n${SAMPLE}`,
);

export async function withTypes(server: TestServer): Promise<TestServer> {
  const common = [
    field('uri', 'uri'),
    field('sample', 'string'),
    field('size', 'int'),
    field('sha256', 'string'),
    field('file_name', 'string'),
    field('format', 'string'),
  ];
  for (const name of ['Folder', 'Listing', 'Bam', 'Depth'])
    await addSchema(server, { name, version: '1', fields: common });
  await addSchema(server, {
    name: 'Folders',
    version: '1',
    fields: [field('parts', 'uri', { many: true }), field('sample', 'string')],
  });
  const made = (entity_type: string) => ({ produces: { entity_type, match: { sample: '{sample}' } } });
  await addRule(server, 'make', MAKE, made('Folder'));
  await addRule(server, 'list', LIST, { ...made('Listing'), requires: [{ ref: 'Folder' }] });
  return server;
}

export let server: TestServer;

export let files: Awaited<ReturnType<typeof canary>>;

export const served: Record<string, string> = {};

export const textOf = async (uri: string, of: Pick<TestServer, 'dataDir'> = server): Promise<string> =>
  readFile(storedFile(of, uri), 'utf8');

export const ingest = (entity_type: string, data: Record<string, unknown>) =>
  server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type, data } });

export const list = (sample: string, parameters: Record<string, unknown> = {}) =>
  produce(server, { entity_type: 'Listing', criteria: { sample }, parameters });

/** Starts what the tests of a file share, and ends it after them. */
export function setUp(): void {
  beforeAll(async () => {
    files = await canary(served);
    await mkdir(path.join(ROOT, 'open', 'ref', 'a'), { recursive: true });
    await writeFile(path.join(ROOT, 'open', 'ref', 'a', 'genome.fa'), '>chr1\n');
    await mkdir(path.join(ROOT, 'open', 'leaky'));
    await symlink('/etc/passwd', path.join(ROOT, 'open', 'leaky', 'x'));
    server = await withTypes(
      await startServer({
        config: `artifact: {allow_networks: [127.0.0.1/32], allow_sources: ["file://${ROOT}/open/"], limits: {files: 100}}\n`,
      }),
    );
  });

  afterAll(async () => {
    await rm(ROOT, { recursive: true });
    await server[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
  });
}
