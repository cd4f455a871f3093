// Three replicas, killed with SIGKILL at random points, and a check of the resulting rows
// (docs/reference/workflow.md#one-firing-per-tick; docs/decisions/0020).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';
import { eventually } from './workflow-server.ts';

/** Number of kills; `npm run prove -- replicas` has forty. */
const ROUNDS = Number(process.env['CAIRN_TEST_KILLS'] ?? 4);

async function replica(url: string, source: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'test/workflow/replica.ts', url, source], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}
async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

interface Run {
  readonly id: string;
  readonly trigger: string;
  readonly status: string;
  readonly tick: string | null;
  readonly cause: string | null;
  readonly errors: string | null;
  readonly effects: number;
  readonly attempt: number;
  /** The numbers of the lines of its log, and the last of them. */
  readonly numbers: readonly number[] | null;
  readonly last: string | null;
}

/** Its lines follow each other, and the last one tells how it ended. */
function checkLog({ numbers, last, status }: Run): void {
  expect(numbers).toEqual(numbers?.map((_, i) => i + 1));
  expect(last).toMatch(
    status === 'success' ? /ends after .+ as success/ : /the process that executed the run has ended/,
  );
}

test(
  'every tick fires once at most, every run is worked once for each attempt at most and ends once, every ending is followed once, and schedules go on',
  async () => {
    await using database = await freshDatabase({ poolSize: 5 });
    const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-replicas-'));
    const source = path.join(dir, 'a.jsonl');
    await writeFile(source, '{"id":"s1"}\n');
    const {
      rows: [named],
    } = await database.pool.query<{ name: string }>('SELECT current_database() AS name');
    await asSuperuser(
      'CREATE TABLE public.effect (run_id text, pid int); GRANT ALL ON public.effect TO cairn_app',
      named?.name,
    );
    const replicas: (ChildProcess | undefined)[] = [];
    try {
      for (let i = 0; i < 3; i++) replicas.push(await replica(database.url, source));
      for (let round = 0; round < ROUNDS; round++) {
        await sleep(400 + Math.random() * 1200);
        const victim = Math.floor(Math.random() * 3);
        await kill(replicas[victim]);
        replicas[victim] = await replica(database.url, source);
      }
      const ended = Date.now();
      await eventually(
        async () =>
          Number(
            (
              await database.pool.query<{ n: number }>(
                `SELECT count(*)::int AS n FROM workflow.run WHERE trigger_name = 'tick' AND queued_at > to_timestamp($1)`,
                [ended / 1000],
              )
            ).rows[0]?.n,
          ),
        (n) => n >= 2,
        60_000,
      );
    } finally {
      for (const child of replicas.splice(1)) await kill(child);
    }
    // one continues until no work is left, without its schedule
    await database.pool.query(`DELETE FROM workflow.agenda_jobs WHERE name = 'tick'`);
    const all = async (): Promise<Run[]> =>
      (
        await database.pool.query<Run>(
          `SELECT r.id, r.trigger_name AS trigger, r.status, r.cause->>'tick' AS tick, r.cause->>'run_id' AS cause, r.errors->0->>'type' AS errors, r.attempt,
       (SELECT array_agg(l.number ORDER BY l.number) FROM workflow.run_log l WHERE l.run_id = r.id) AS numbers,
       (SELECT l.message FROM workflow.run_log l WHERE l.run_id = r.id ORDER BY l.number DESC LIMIT 1) AS last,
       (SELECT count(*)::int FROM public.effect e WHERE e.run_id = r.id) AS effects FROM workflow.run r ORDER BY r.queued_at`,
        )
      ).rows;
    try {
      await eventually(
        all,
        (runs) => runs.every((run) => !['queued', 'running'].includes(run.status)),
        60_000,
      );
    } finally {
      await kill(replicas[0]);
      await rm(dir, { recursive: true });
    }
    const runs = await all();
    const ticks = runs.filter((run) => run.trigger === 'tick');
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(new Set(ticks.map((run) => run.tick)).size).toBe(ticks.length);
    for (const run of runs) {
      expect(run.effects, JSON.stringify(run)).toBeLessThanOrEqual(run.attempt);
      if (run.trigger === 'tick') expect(run.attempt).toBe(1); // the next tick repeats what was interrupted
      if (run.status === 'success') expect(run.effects).toBeGreaterThanOrEqual(1);
      if (run.status === 'failed') expect(['WorkerLost']).toContain(run.errors);
      if (run.status === 'skipped') expect(run.effects).toBe(0);
      if (run.status !== 'skipped') checkLog(run);
      const followers = runs.filter((one) => one.cause === run.id).map((one) => one.trigger);
      const wanted =
        run.trigger !== 'tick' || run.status === 'skipped'
          ? []
          : [run.status === 'success' ? 'went' : 'broke'];
      expect(followers, JSON.stringify(run)).toEqual(wanted);
    }
  },
  150_000 + ROUNDS * 5000,
);
