// The baseline of stale results: `node:http` and `pg`, and for each request one look-up by index of what was made with an entity
// whose field is another one now. It is told which entity has changed, knows the rule, and looks at no rights.
import http from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

const STALE = {
  name: 'stale',
  text: `SELECT p.entity_ids[1] AS entity_id, p.entity_type, p.id AS production_id, p.rule, p.finished_at AS since, json_build_object('is_stale', true, 'is_complete', true, 'reasons', json_build_array(
      json_build_object('kind', 'INPUT_CHANGED', 'message', format('Sample %s v1 -> v%s: reads changed, bound as input reads', e.id, e.version), 'via', '[]'::json, 'production_id', p.id,
        'entity_id', e.id, 'field', 'reads', 'input', 'reads', 'from_version', 1, 'to_version', e.version, 'from_rule', null, 'to_rule', null, 'image', null, 'from_digest', null, 'to_digest', null))) AS staleness
    FROM metadata.entity e JOIN artifact.production p ON jsonb_path_query_array(p.plan, '$.requires[*].entity_id') ? e.id
    WHERE e.id = $1 AND p.status = 'completed' AND p.runner IS NOT NULL AND p.inputs ->> 'reads' IS DISTINCT FROM e.data ->> 'reads'`,
};

http
  .createServer((req, res) => {
    const id = new URL(req.url ?? '', 'http://localhost').searchParams.get('id');
    pool.query({ ...STALE, values: [id] }).then(
      ({ rows }) => {
        const text = JSON.stringify({ items: rows, next_cursor: null, is_complete: true });
        res
          .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
          .end(text);
      },
      (error: unknown) => {
        res.writeHead(400).end(String(error));
      },
    );
  })
  .listen(Number(process.env['PORT']), '127.0.0.1');
