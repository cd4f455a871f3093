// The baseline of resolution: hand-written `node:http` and `pg`, with one indexed query for the newest
// available entity with a field's value.
import http from 'node:http';
import { createPool } from './statements.ts';

const pool = createPool();

const NEWEST = `SELECT e.id, e.entity_type, e.data ->> 'uri' AS uri, e.data AS fields, e.version, e.is_available FROM metadata.entity e
  WHERE e.entity_type = $1 AND e.data @> $2::jsonb AND e.is_available ORDER BY e.first_event DESC LIMIT 1`;

async function resolve(query: URLSearchParams): Promise<unknown> {
  const { entity_type: type, ...criteria } = Object.fromEntries(query);
  const { rows } = await pool.query<{ uri: string | null }>({
    name: 'newest',
    text: NEWEST,
    values: [type, JSON.stringify(criteria)],
  });
  const [entity] = rows;
  return entity ? { decision: 'reuse', uri: entity.uri, entity } : { error: 'not found' };
}

const server = http.createServer((req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://127.0.0.1');
  if (!pathname.endsWith('/resolve')) return void res.end('{}');
  resolve(searchParams).then(
    (answer) => {
      const text = JSON.stringify(answer);
      res
        .writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
        })
        .end(text);
    },
    (error: unknown) => {
      res.writeHead(500).end(String(error));
    },
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
