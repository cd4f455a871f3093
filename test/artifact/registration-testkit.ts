// Workflows, entity types and rules for tests of registration and resolution.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { TestServer } from '../testkit/server.ts';
import { field } from './schema-field.ts';

export const tool = (outputs: string, rest = ''): string =>
  `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: 'true'\n${rest}inputs: {}\noutputs:\n${outputs
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}\n`;

export const STATS_CWL = tool(
  'uri: {type: File, outputBinding: {glob: a}}\nsample_id: string\ncaller: string\nrecord_count: int',
);
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Sample, and VariantStats that are produced from it: with a file. */
export async function withTypes(server: TestServer): Promise<TestServer> {
  const schemas = [
    { name: 'Sample', version: '1', fields: [field('sample_id', 'string', { required: true })] },
    {
      name: 'VariantStats',
      version: '1',
      fields: [
        field('uri', 'uri'),
        field('sample_id', 'string', { required: true }),
        field('caller', 'text'),
        field('record_count', 'int'),
        field('ratio', 'float'),
        field('passed', 'bool'),
        field('tags', 'string', { many: true }),
        field('level', 'enum', { values: ['low', 'high'] }),
        field('extra', 'json'),
        field('day', 'date'),
      ],
    },
    { name: 'Summary', version: '1', fields: [field('sample_id', 'string'), field('title', 'string')] },
  ];
  for (const body of schemas) {
    const { status, text } = await server.rest('POST', '/api/v1/metadata/schemas', { body });
    if (status !== 200) throw new Error(text);
  }
  return server;
}

export const ruleOf = (name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name,
  produces: { entity_type: 'VariantStats', match: { sample_id: '{sample_id}' } },
  execute: { cwl_content: base64(STATS_CWL) },
  ...more,
});

/** Content that never arrives. */
export const HANG = '(hang)';

type Files = Readonly<
  Record<
    string,
    string | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  >
>;

/** An HTTP server on loopback that counts its requests. */
export async function canary(files: Files = {}) {
  const seen: string[] = [];
  const server = createServer((req, res) => {
    const path = req.url ?? '';
    seen.push(path);
    const found = files[path];
    if (found === HANG) return;
    if (found === undefined) return void res.writeHead(404).end();
    if (typeof found === 'string') return void res.end(found);
    res.writeHead(found.status, found.headers).end(found.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    seen,
    port: address.port,
    url: (path: string) => `http://127.0.0.1:${address.port}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
