// The baseline for every ratio of REST: hand-written `node:http` and `pg`, without edge, validation or
// envelope.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import {
  createPool,
  findEntity,
  insertEntity,
  listEntities,
  listRuns,
  schemaRevision,
} from './statements.ts';
import { setAvailability } from './availability.ts';
import { copyEntities, type SentEntity } from './copy-entities.ts';

const pool = createPool();
const revision = await schemaRevision(pool);

/** Returns a UUIDv7, as Cairn does: new rows go to the end of the index. */
function uuidv7(): string {
  const hex = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function send(res: http.ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  res
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
}

function readJson(req: http.IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    req.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

const PREFIX = '/api/v1/metadata';

async function get(path: string, res: http.ServerResponse): Promise<void> {
  if (path.startsWith('/entities/')) {
    const entity = await findEntity(pool, decodeURIComponent(path.slice('/entities/'.length)));
    return entity ? send(res, 200, entity) : send(res, 404, { error: 'not found' });
  }
  if (path.startsWith('/entities?')) {
    const query = new URLSearchParams(path.slice('/entities?'.length));
    return send(
      res,
      200,
      await listEntities(
        pool,
        query.get('entity_type') ?? '',
        Number(query.get('limit') ?? 100),
        Number(query.get('offset') ?? 0),
      ),
    );
  }
  return send(res, 404, { error: 'not found' });
}

interface IngestBody {
  readonly entity_type: string;
  readonly data: { readonly name: string; readonly state: string; readonly tags: readonly string[] };
}
interface BulkBody {
  readonly entity_ids: readonly string[];
  readonly available: boolean;
  readonly reason: string;
}
interface BulkIngestBody {
  readonly variables: { readonly entities: readonly SentEntity[] };
}
interface GraphqlBody {
  readonly variables: { readonly id: string };
}

async function post(path: string, body: unknown, res: http.ServerResponse): Promise<void> {
  if (path === `${PREFIX}/ingest`) {
    const { entity_type: type, data } = body as IngestBody; // the load sends only this
    const search = `${data.name} ${data.state} ${data.tags.join(' ')}`.replaceAll('-', ' ');
    return send(res, 200, await insertEntity(pool, revision, { id: uuidv7(), type, data, search }));
  }
  const bulk = /^\/api\/v1\/metadata\/entities\/([^/]+)\/bulk-availability$/.exec(path);
  if (bulk?.[1] !== undefined) {
    const { entity_ids: ids, available, reason } = body as BulkBody; // likewise
    return send(res, 200, await setAvailability(pool, revision, { type: bulk[1], ids, available, reason }));
  }
  if (path === '/copy') {
    const entities = (body as BulkIngestBody).variables.entities.map((entity) => ({
      ...entity,
      id: uuidv7(),
    })); // likewise
    await copyEntities(pool, revision, entities);
    return send(res, 200, {
      data: {
        ingestEntities: {
          created: entities.length,
          updated: 0,
          unchanged: 0,
          results: entities.map(({ id }) => ({ id, version: 1 })),
          errors: [],
        },
      },
    });
  }
  const {
    variables: { id },
  } = body as GraphqlBody; // likewise: a GraphQL request, whose document is ignored
  const entity = await findEntity(pool, id);
  if (!entity) return send(res, 200, { data: { entity: null } });
  const {
    entity_type: entityType,
    data,
    version,
    created_at: createdAt,
    updated_at: updatedAt,
    is_available: isAvailable,
  } = entity;
  const fields = { id, entityType, data, version, createdAt, updatedAt, isAvailable };
  if (path === '/point') return send(res, 200, { data: { entity: fields } });
  const runs = (await listRuns(pool, [id], 5)).map(({ runId, status, queuedAt, recordsFetched }) => ({
    runId,
    status,
    queuedAt,
    recordsFetched,
  }));
  return send(res, 200, { data: { entity: { ...fields, runs } } });
}

const server = http.createServer((req, res) => {
  const url = req.url ?? '/';
  const answer =
    req.method === 'POST'
      ? readJson(req).then((body) => post(url, body, res))
      : get(url.slice(PREFIX.length), res);
  answer.catch((error: unknown) => {
    console.error(error);
    send(res, 500, { error: 'internal error' });
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
