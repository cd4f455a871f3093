// docs/reference/workflow.md#one-firing-per-tick, docs/reference/workflow.md#leases, docs/decisions/0020:
// when PostgreSQL is killed and returns, the process survives, nothing fires twice, nothing is lost.
import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
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

test(
  'PostgreSQL is killed and returns: the process lives; each tick, change and acknowledged delivery has one run, and each ending its followers',
  async () => {
    await using postgres = await mortalPostgres();
    const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-outage-'));
    await writeFile(path.join(dir, 'a.jsonl'), '{"id":"b1"}\n');
    // a tick that occurs once, in the first outage
    const due = new Date(Math.ceil(Date.now() / 1000) * 1000 + 20_000);
    const action = '{type: ingest, adapter: a}';
    await writeFile(
      path.join(dir, 'gateway.yaml'),
      `rate_limit: {enabled: false}
workflow:
  triggers:
    - {name: beat, type: schedule, schedule: "* * * * * *", action: ${action}, on_success: beaten, on_failure: {emit: broken}}
    - {name: well, type: internal_event, event: beaten, action: ${action}}
    - {name: woe, type: internal_event, event: broken, action: ${action}}
    - {name: once, type: schedule, schedule: "${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} ${due.getUTCDate()} ${due.getUTCMonth() + 1} *", action: ${action}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, interval_seconds: 1}, action: ${action}}
    - {name: lab, type: webhook, path: hooks/lab, secret_env: LAB_SECRET, idempotency_window_seconds: 36000, action: ${action}}
  adapters: [{name: a, type: jsonl, entity_type: Beat, source: a.jsonl, map: {id: row.id}}]
`,
    );
    const server = await startProcess({
      dataDir: path.join(dir, 'data'),
      env: { CAIRN_CONFIG: path.join(dir, 'gateway.yaml'), DATABASE_URL: postgres.url, LAB_SECRET: SECRET },
    });
    const refusals = new Map<number, string>();
    /** The body of a 200 answer; null for a refusal. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON of any shape
    const post = async (target: string, body: string, headers: Record<string, string>): Promise<any> => {
      const response = await fetch(server.url + target, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
      const text = await response.text();
      if (response.status === 200) return JSON.parse(text);
      refusals.set(response.status, text);
      return null;
    };
    const admin = { 'x-api-key': server.key };
    const delivered = new Map<string, string>(); // digest → the acknowledged run
    const written: string[] = [];
    let stop = false;
    /** Sends one after the other, each until it is acknowledged. */
    const insist = async (send: (i: number) => Promise<boolean>): Promise<void> => {
      for (let i = 0; !stop; i++) {
        while (!(await send(i))) await sleep(100);
        await sleep(20);
      }
    };
    const deliver = (i: number): Promise<boolean> => {
      const body = JSON.stringify({ i });
      return post('/api/v1/workflow/hooks/lab', body, {
        'x-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      }).then((answer) => {
        if (answer !== null)
          delivered.set(`sha256:${createHash('sha256').update(body).digest('hex')}`, answer.run_id);
        return answer !== null;
      });
    };
    const write = (i: number): Promise<boolean> =>
      post(
        '/api/v1/metadata/ingest',
        JSON.stringify({ entity_type: 'Sample', data: { id: `s${i}`, n: i } }),
        admin,
      ).then((answer) => {
        if (answer !== null) written.push(`s${i}`);
        return answer !== null;
      });
    const query = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
      const client = new pg.Client(postgres.url);
      await client.connect();
      try {
        return (await client.query<Row>(sql)).rows;
      } finally {
        await client.end();
      }
    };
    const countSince = (since: number) => async (): Promise<number> =>
      Number(
        (
          await query<{ n: string }>(
            `SELECT count(*) AS n FROM workflow.run WHERE trigger_name = 'beat' AND queued_at > to_timestamp(${since / 1000})`,
          )
        )[0]?.n,
      );
    try {
      for (const name of ['Sample', 'Beat'])
        await post(
          '/api/v1/metadata/schemas',
          JSON.stringify({ name, version: '1', fields: [{ name: 'n', field_type: 'int' }] }),
          admin,
        );
      const senders = [insist(deliver), insist(write)];
      for (let round = 0; round < OUTAGES; round++) {
        const goOn = Date.now();
        await eventually(countSince(goOn), (n) => n >= 2, 60_000);
        if (round === 0) await sleep(Math.max(0, due.getTime() - Date.now() - DOWN_MS / 2));
        await postgres.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGQUIT');
        expect((await fetch(`${server.url}/livez`)).status).toBe(200);
        await sleep(DOWN_MS);
        await postgres.revive();
      }
      const [back, told, wrote] = [Date.now(), delivered.size, written.length];
      await eventually(countSince(back), (n) => n >= 2, 60_000);
      await eventually(
        async () => [delivered.size - told, written.length - wrote],
        (more) => more.every((n) => n >= 2),
        60_000,
      );
      stop = true;
      await Promise.all(senders);
      await query(`DELETE FROM workflow.agenda_jobs WHERE name = 'tick'`); // nothing more is due
      const all = (): Promise<Run[]> =>
        query<Run>(`SELECT id, trigger_name AS trigger, status, cause->>'tick' AS tick, cause->>'run_id' AS cause, cause->'entity'->>'id' AS entity,
      cause->'delivery'->>'digest' AS digest, errors->0->>'type' AS error FROM workflow.run ORDER BY queued_at, id`);
      const runs = await eventually(
        all,
        (list) =>
          list.every((run) => !['queued', 'running'].includes(run.status)) &&
          new Set(list.map((run) => run.entity)).size > written.length,
        120_000,
      );
      const of = (trigger: string): Run[] => runs.filter((run) => run.trigger === trigger);

      for (const trigger of ['beat', 'once'])
        expect(new Set(of(trigger).map((run) => run.tick)).size).toBe(of(trigger).length);
      const [remembered] = await query<{ early: boolean }>(
        `SELECT updated_at < '${due.toISOString()}' AS early FROM workflow.trigger WHERE name = 'once'`,
      );
      expect(of('once').map((run) => run.tick)).toEqual(
        remembered?.early === true ? [due.toISOString()] : [],
      );
      expect(
        of('seen')
          .map((run) => run.entity)
          .sort(),
      ).toEqual([...written].sort());
      expect(new Map(of('lab').map((run) => [run.digest, run.id]))).toEqual(delivered);
      expect(of('lab')).toHaveLength(delivered.size);
      for (const run of of('beat')) {
        const wanted = run.status === 'skipped' ? [] : [run.status === 'failed' ? 'woe' : 'well'];
        expect(
          runs.filter((one) => one.cause === run.id).map((one) => one.trigger),
          JSON.stringify(run),
        ).toEqual(wanted);
      }
      for (const run of runs.filter((one) => one.status === 'failed'))
        expect(['MetadataUnavailable', 'WorkerLost'], JSON.stringify(run)).toContain(run.error);
      for (const [status, text] of refusals)
        expect([status, text]).toEqual([503, expect.stringContaining('"error":"component_unavailable"')]);
      await postgres.kill('SIGKILL');
      expect(await server.end('SIGTERM')).toBe(0); // it ends properly without it, too
    } finally {
      stop = true;
      await server.end('SIGKILL');
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  },
  240_000 + OUTAGES * 60_000,
);
