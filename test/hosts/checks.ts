// What has to be so after hosts were away: nothing that was acknowledged is lost, and every process works on.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { expect } from 'vitest';
import type { Noted } from './clients.ts';
import type { Deployment } from './deployment.ts';
import type { Host } from './network.ts';

/** Until the processes of a host that is back work again. */
const RECOVERY_MS = 30_000;

/** @throws Error with the answer, where it is none of success */
export async function ask<T>(
  url: string,
  key: string,
  method: string,
  target: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(url + target, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${text}`);
  return JSON.parse(text) as T; // as the caller expects it of our own API
}

/** Entities of a type by their ids, page by page. */
async function listed(
  url: string,
  key: string,
  type: string,
): Promise<Map<string, { n: number; version: number }>> {
  const found = new Map<string, { n: number; version: number }>();
  for (let cursor = ''; ;) {
    const { data } = await ask<{
      data: { items: { id: string; data: { n: number }; version: number }[]; next_cursor: string | null };
    }>(url, key, 'GET', `/api/v1/metadata/entities?entity_type=${type}&limit=500${cursor}`);
    for (const {
      id,
      data: { n },
      version,
    } of data.items) {
      expect(found.has(id), id).toBe(false);
      found.set(id, { n, version });
    }
    if (data.next_cursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
  }
}

/** What was acknowledged is there once, with the one event that it has. */
export async function expectNothingLost(
  { url, key }: Deployment,
  { written, followed }: Noted,
  database: string,
): Promise<void> {
  const found = await listed(url, key, 'Thing');
  const lost = [...written].filter(([id, { n }]) => found.get(id)?.n !== n || found.get(id)?.version !== 1);
  expect(lost.slice(0, 10)).toEqual([]);
  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query<{ id: string; events: number }>(
    `SELECT e.id, count(p.id)::int AS events FROM metadata.entity e LEFT JOIN metadata.provenance p ON p.entity_id = e.id
    WHERE e.entity_type = 'Thing' GROUP BY e.id HAVING count(p.id) <> 1`,
  );
  await client.end();
  expect(rows.slice(0, 10)).toEqual([]);
  expect(new Set(followed).size).toBe(followed.length);
  expect([...found.keys()].filter((id) => !followed.includes(id))).toEqual([]);
}

export async function expectFiles({ url, key }: Deployment, { stored }: Noted): Promise<void> {
  expect(stored.size).toBeGreaterThan(20);
  for (const [id, hash] of stored) {
    const answer = await fetch(`${url}/api/v1/metadata/entities/${id}/files/uri`, {
      headers: { 'x-api-key': key },
    });
    const content = new Uint8Array(await answer.arrayBuffer());
    expect([id, answer.status, createHash('sha256').update(content).digest('hex')]).toEqual([id, 200, hash]);
  }
}

/** What runs declared is there. */
export async function expectConsistent(deployment: Deployment): Promise<void> {
  const { url, key } = deployment;
  interface Scan {
    readonly status: string;
    readonly checked: number;
    readonly mismatches: number;
  }
  await ask<Scan>(url, key, 'POST', '/api/v1/gateway/sync/scan');
  let scan: Scan | undefined;
  await deployment.until('a scan', async () => {
    scan = await ask<Scan>(url, key, 'GET', '/api/v1/gateway/sync/scan/latest');
    return scan.status !== 'started';
  });
  expect(scan).toMatchObject({ status: 'completed', mismatches: 0 });
  expect(scan?.checked).toBeGreaterThan(10);
}

/** Each tick, one a second, has one run, and none was given up since its type was there. */
export async function expectRuns(deployment: Deployment, database: string, since: Date): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  await deployment.until('runs that were interrupted have ended', async () => {
    const { rows } = await client.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM workflow.run WHERE finished_at IS NULL AND queued_at < now() - interval '10 s'`,
    );
    return rows[0]?.open === 0;
  });
  const { rows } = await client.query<{ status: string; runs: number; ticks: number; seconds: number }>(
    `SELECT status, count(*)::int AS runs, count(DISTINCT cause ->> 'tick')::int AS ticks,
      extract(epoch FROM max((cause ->> 'tick')::timestamptz) - min((cause ->> 'tick')::timestamptz))::int + 1 AS seconds FROM workflow.run
    WHERE finished_at IS NOT NULL AND queued_at > $1 GROUP BY status`,
    [since],
  );
  await client.end();
  console.info(`runs: ${JSON.stringify(rows)}`);
  const seconds = rows[0]?.seconds;
  expect(rows).toEqual([{ status: 'success', runs: seconds, ticks: seconds, seconds }]);
  expect(rows[0]?.runs).toBeGreaterThan(20);
}

/** Each process of a host that is back is ready and works, asked by itself: also on what it was not told meanwhile. */
export async function expectWorking(deployment: Deployment, host: Host, type: string): Promise<void> {
  const { key, processes } = deployment;
  const since = performance.now();
  for (const one of processes.filter((process) => process.host === host)) {
    const url = deployment.urlOf(one);
    await deployment.until(
      `${one.name} is ready`,
      async () => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) })).status === 200,
      RECOVERY_MS,
    );
    console.info(
      `${one.name} of the host that is back is ready after ${Math.round(performance.now() - since)} ms`,
    );
    if (one.name !== 'router') continue;
    const id = `back:${crypto.randomUUID()}`;
    const write = { entity_type: type, id, data: {} };
    await deployment.until(
      'a write',
      () => ask(url, key, 'POST', '/api/v1/metadata/ingest', write).then(() => true),
      RECOVERY_MS,
    );
    await ask(url, key, 'GET', `/api/v1/metadata/entities/${id}`);
  }
  console.info(`the host that is back works after ${Math.round(performance.now() - since)} ms`);
}
