// docs/reference/workflow.md#one-firing-per-tick, docs/reference/workflow.md#leases, docs/decisions/0020:
// when PostgreSQL is killed and returns, the process survives, nothing fires twice, nothing is lost.
import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { exactTimeText } from '../../platform/instant.ts';
import { startProcess } from '../testkit/server-process.ts';
import { mortalPostgres } from './mortal-postgres.ts';
import { eventually } from './workflow-server.ts';

/** Number of outages; set it higher for a longer test. */
const OUTAGES = Number(process.env['CAIRN_TEST_OUTAGES'] ?? 2);
const SECRET = 'hush-hush';
const DOWN_MS = 1500;

interface Run {
  readonly id: string;
  readonly trigger: string;
  readonly status: string;
  readonly tick: string | null;
  readonly cause: string | null;
  readonly entity: string | null;
  readonly digest: string | null;
  readonly error: string | null;
}

const configuration = (due: Date): string => {
  const action = '{type: ingest, adapter: a}';
  const tick = `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} ${due.getUTCDate()} ${due.getUTCMonth() + 1} *`;
  return `rate_limit: {enabled: false}
workflow:
  triggers:
    - {name: beat, type: schedule, schedule: "* * * * * *", action: ${action}, on_success: beaten, on_failure: {emit: broken}}
    - {name: well, type: internal_event, event: beaten, action: ${action}}
    - {name: woe, type: internal_event, event: broken, action: ${action}}
    - {name: once, type: schedule, schedule: "${tick}", action: ${action}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, interval_seconds: 1}, action: ${action}}
    - {name: lab, type: webhook, path: hooks/lab, secret_env: LAB_SECRET, idempotency_window_seconds: 36000, action: ${action}}
  adapters: [{name: a, type: jsonl, entity_type: Beat, source: a.jsonl, map: {id: row.id}}]
`;
};

/** Writes entities and delivers to a webhook, one after the other, each until it is acknowledged. */
class Senders {
  /** The acknowledged runs by the digests of what was delivered. */
  readonly delivered = new Map<string, string>();
  readonly written: string[] = [];
  readonly refusals = new Map<number, string>();
  isStopped = false;
  readonly #url: string;
  readonly #admin: Record<string, string>;

  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.#url = url;
    this.#admin = { 'x-api-key': key };
  }

  async register(name: string): Promise<void> {
    const schema = { name, version: '1', fields: [{ name: 'n', field_type: 'int' }] };
    await this.#post('/api/v1/metadata/schemas', schema, this.#admin);
  }

  run(): readonly Promise<void>[] {
    return [this.#insist((i) => this.#deliver(i)), this.#insist((i) => this.#write(i))];
  }

  async #insist(send: (i: number) => Promise<boolean>): Promise<void> {
    for (let i = 0; !this.isStopped; i++) {
      while (!(await send(i))) await sleep(100);
      await sleep(20);
    }
  }

  /** The body of a 200 answer; null for a refusal. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of any shape
  async #post(target: string, content: object, headers: Record<string, string>): Promise<any> {
    const response = await fetch(this.#url + target, {
      method: 'POST',
      body: JSON.stringify(content),
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    if (response.status === 200) return JSON.parse(text);
    this.refusals.set(response.status, text);
    return null;
  }

  async #deliver(i: number): Promise<boolean> {
    const body = JSON.stringify({ i });
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    const answer = await this.#post('/api/v1/workflow/hooks/lab', { i }, { 'x-signature': signature });
    if (answer !== null)
      this.delivered.set(`sha256:${createHash('sha256').update(body).digest('hex')}`, answer.run_id);
    return answer !== null;
  }

  async #write(i: number): Promise<boolean> {
    const entity = { entity_type: 'Sample', data: { id: `s${i}`, n: i } };
    const answer = await this.#post('/api/v1/metadata/ingest', entity, this.#admin);
    if (answer !== null) this.written.push(`s${i}`);
    return answer !== null;
  }
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const beatsSince = (url: string, since: number) => async (): Promise<number> =>
  Number(
    (
      await query<{ n: string }>(
        url,
        `SELECT count(*) AS n FROM workflow.run WHERE trigger_name = 'beat' AND queued_at > to_timestamp(${since / 1000})`,
      )
    )[0]?.n,
  );

/** Once all of them have ended, and each entity that was written has one. */
const endedRuns = (url: string, { written }: Senders): Promise<readonly Run[]> =>
  eventually(
    () =>
      query<Run>(
        url,
        `SELECT id, trigger_name AS trigger, status, cause->>'tick' AS tick, cause->>'run_id' AS cause, cause->'entity'->>'id' AS entity,
      cause->'delivery'->>'digest' AS digest, errors->0->>'type' AS error FROM workflow.run ORDER BY queued_at, id`,
      ),
    (list) =>
      list.every((run) => !['queued', 'running'].includes(run.status)) &&
      new Set(list.map((run) => run.entity)).size > written.length,
    120_000,
  );

function assertNoneTwiceAndNoneLost(runs: readonly Run[], once: readonly string[], senders: Senders): void {
  const of = (trigger: string): Run[] => runs.filter((run) => run.trigger === trigger);
  for (const trigger of ['beat', 'once'])
    expect(new Set(of(trigger).map((run) => run.tick)).size).toBe(of(trigger).length);
  expect(of('once').map((run) => run.tick)).toEqual(once);
  const seen = of('seen').map((run) => run.entity);
  expect(seen.sort()).toEqual([...senders.written].sort());
  expect(new Map(of('lab').map((run) => [run.digest, run.id]))).toEqual(senders.delivered);
  expect(of('lab')).toHaveLength(senders.delivered.size);
  for (const run of of('beat')) {
    const wanted = run.status === 'skipped' ? [] : [run.status === 'failed' ? 'woe' : 'well'];
    expect(
      runs.filter((one) => one.cause === run.id).map((one) => one.trigger),
      JSON.stringify(run),
    ).toEqual(wanted);
  }
  for (const run of runs.filter((one) => one.status === 'failed'))
    expect(['MetadataUnavailable', 'WorkerLost'], JSON.stringify(run)).toContain(run.error);
  for (const [status, text] of senders.refusals)
    expect([status, text]).toEqual([503, expect.stringContaining('"error":"component_unavailable"')]);
}

test(
  'PostgreSQL is killed and returns: the process lives; each tick, change and acknowledged delivery has one run, and each ending its followers',
  async () => {
    await using postgres = await mortalPostgres();
    const { url } = postgres;
    const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-outage-'));
    await writeFile(path.join(dir, 'a.jsonl'), '{"id":"b1"}\n');
    // a tick that occurs once, in the first outage
    const due = new Date(Math.ceil(Date.now() / 1000) * 1000 + 20_000);
    await writeFile(path.join(dir, 'gateway.yaml'), configuration(due));
    const server = await startProcess({
      dataDir: path.join(dir, 'data'),
      env: { CAIRN_CONFIG: path.join(dir, 'gateway.yaml'), DATABASE_URL: url, LAB_SECRET: SECRET },
    });
    const senders = new Senders(server);
    const { delivered, written } = senders;
    try {
      for (const name of ['Sample', 'Beat']) await senders.register(name);
      const sending = senders.run();
      for (let round = 0; round < OUTAGES; round++) {
        await eventually(beatsSince(url, Date.now()), (n) => n >= 2, 60_000);
        if (round === 0) await sleep(Math.max(0, due.getTime() - Date.now() - DOWN_MS / 2));
        await postgres.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGQUIT');
        expect((await fetch(`${server.url}/livez`)).status).toBe(200);
        await sleep(DOWN_MS);
        await postgres.revive();
      }
      const [told, wrote] = [delivered.size, written.length];
      await eventually(beatsSince(url, Date.now()), (n) => n >= 2, 60_000);
      await eventually(
        async () => [delivered.size - told, written.length - wrote],
        (more) => more.every((n) => n >= 2),
        60_000,
      );
      senders.isStopped = true;
      await Promise.all(sending);
      await query(url, `DELETE FROM workflow.agenda_jobs WHERE name = 'tick'`); // nothing more is due
      const runs = await endedRuns(url, senders);
      const [remembered] = await query<{ early: boolean }>(
        url,
        `SELECT updated_at < '${due.toISOString()}' AS early FROM workflow.trigger WHERE name = 'once'`,
      );
      assertNoneTwiceAndNoneLost(runs, remembered?.early === true ? [exactTimeText(due)] : [], senders);
      await postgres.kill('SIGKILL');
      expect(await server.end('SIGTERM')).toBe(0); // it ends properly without it, too
    } finally {
      senders.isStopped = true;
      await server.end('SIGKILL');
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  },
  240_000 + OUTAGES * 60_000,
);
