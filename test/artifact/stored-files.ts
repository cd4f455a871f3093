// Files in a server's store without a production: content, its record, and the entity that holds it.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { objectKey } from '../../subgraphs/artifact/storage/object-store.ts';
import type { TestServer } from '../testkit/server.ts';
import { field } from './schema-field.ts';

export const SAMPLE_FILE = {
  name: 'SampleFile',
  version: '1',
  fields: [
    field('uri', 'uri'),
    field('index', 'uri'),
    field('project', 'string'),
    field('size', 'int'),
    field('sha256', 'string'),
    field('file_name', 'string'),
    field('note', 'string'),
  ],
};

export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** Puts content into the store; returns its hash in hexadecimal digits. */
export async function putContent(server: TestServer, content: string | Buffer): Promise<string> {
  const hex = sha256(content);
  const place = path.join(server.dataDir, 'artifacts', 'sha256', objectKey(`sha256:${hex}`));
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, content);
  await server.database.pool.query(
    'INSERT INTO artifact.stored_object (hash, size) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [`sha256:${hex}`, Buffer.byteLength(content)],
  );
  return hex;
}

/** Records that an entity holds stored content in a field. */
export async function hold(
  server: TestServer,
  { id, field = 'uri', hex, name = null }: { id: string; field?: string; hex: string; name?: string | null },
): Promise<void> {
  await server.database.pool.query(
    `INSERT INTO artifact.artifact_entity (entity_id, entity_type, field, hash, name) VALUES ($1, 'SampleFile', $2, $3, $4)`,
    [id, field, `sha256:${hex}`, name],
  );
}

/** An entity that holds the content, by the address that its `uri` has. */
export async function addFileEntity(
  server: TestServer,
  { id, hex, name, data = {} }: { id: string; hex: string; name?: string; data?: Record<string, unknown> },
): Promise<void> {
  const { status, text } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: {
      id,
      entity_type: 'SampleFile',
      data: { uri: `${server.url}/api/v1/artifact/files/${hex}`, ...data },
    },
  });
  if (status !== 200 && status !== 201) throw new Error(text);
  await hold(server, { id, hex, name: name ?? null });
}
