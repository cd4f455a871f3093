// The baseline of causal chains: `node:http` and `pg`, one recursive query for each request, and nothing else.
import http from 'node:http';
import pg from 'pg';
import { recursive } from './causal-chain.ts';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

async function answer(target: string): Promise<string> {
  const { searchParams: asked } = new URL(target, 'http://localhost');
  const [direction, subject, depth] = ['direction', 'subject', 'depth'].map((name) => asked.get(name) ?? '');
  const { rows } = await pool.query(recursive(direction ?? '', subject ?? '', Number(depth)));
  return JSON.stringify({ nodes: rows });
}

http
  .createServer((req, res) => {
    answer(req.url ?? '').then(
      (text) => {
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
