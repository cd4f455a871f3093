// The baseline of webhook acceptance: hand-written `node:http` and `pg`, with the same signature and the same
// inserts.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import { createPool } from './statements.ts';

const pool = createPool();
const secret = process.env['WEBHOOK_SECRET'] ?? '';

const ACCEPT = `WITH taken AS (
    INSERT INTO workflow.delivery AS d (trigger_name, digest, run_id, accepted_at) VALUES ('by-hand', $1, $2, clock_timestamp())
    ON CONFLICT (trigger_name, digest) DO NOTHING RETURNING run_id),
  queued AS (
    INSERT INTO workflow.run (id, trigger_name, trigger_type, action, cause, status, actor, queued_at, finished_at)
    SELECT run_id, 'by-hand', 'webhook', '{}', $3, 'skipped', 'service:workflow', clock_timestamp(), clock_timestamp() FROM taken RETURNING id),
  kept AS (INSERT INTO workflow.received_delivery (id, trigger_name, body) SELECT $4, 'by-hand', $5 FROM taken),
  observed AS (INSERT INTO workflow.observation (trigger_name, kind, verdict, subject, seen, run_id, delivery_id) SELECT 'by-hand', 'delivery', 'fired', $3, $6, run_id, $4 FROM taken)
  SELECT pg_notify('by_hand', id) FROM queued`;

async function accept(body: Buffer, signature: string): Promise<{ status: number; answer: unknown }> {
  const given = Buffer.from(signature.replace('sha256=', ''), 'hex');
  const wanted = createHmac('sha256', secret).update(body).digest();
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return { status: 403, answer: { error: 'signature' } };
  const { kind } = JSON.parse(body.toString('utf8')) as { kind: string }; // the load sends only this
  if (kind !== 'done') return { status: 200, answer: { run_id: null, status: 'skipped' } };
  const digest = createHash('sha256').update(body).digest();
  const runId = randomUUID();
  const subject = JSON.stringify({ digest: `sha256:${digest.toString('hex')}` });
  const { rowCount } = await pool.query(ACCEPT, [
    digest,
    runId,
    subject,
    randomUUID(),
    body,
    JSON.stringify({ kind }),
  ]);
  return { status: 200, answer: { run_id: runId, status: rowCount === 1 ? 'accepted' : 'duplicate' } };
}

const server = http.createServer((req, res) => {
  if (req.url === '/never') return; // a source that never responds
  if (req.method === 'GET') return void res.end('{}');
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    accept(Buffer.concat(chunks), String(req.headers['x-signature'])).then(
      ({ status, answer }) => {
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      },
      (error: unknown) => {
        res.writeHead(500).end(String(error));
      },
    );
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
