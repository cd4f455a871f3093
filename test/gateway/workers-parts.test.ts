// The parts of workers and their primary: calls over a channel, serialised configurations, restarted workers.
import { EventEmitter } from 'node:events';
import v8 from 'node:v8';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { type Channel, openCalls } from '../../router/main/workers/calls.ts';
import type { Forked } from '../../router/main/workers/fork-worker.ts';
import { createMergedMetrics } from '../../router/main/workers/merged-metrics.ts';
import { packConfig, unpackConfig } from '../../router/main/workers/portable-config.ts';
import { createWorkerPool } from '../../router/main/workers/worker-pool.ts';
import { createMetrics } from '../../router/edge/metrics/metrics.ts';
import { waitFor } from '../testkit/wait-for.ts';

const silent = pino({ level: 'silent' });

/** Both ends of one channel in this process. */
function pair(): [Channel & EventEmitter, Channel & EventEmitter] {
  const [a, b] = [new EventEmitter(), new EventEmitter()];
  const end = (own: EventEmitter, other: EventEmitter): Channel & EventEmitter =>
    Object.assign(own, {
      send: (message: object, sent: (error: Error | null) => void) => {
        setImmediate(() => other.emit('message', v8.deserialize(v8.serialize(message))));
        sent(null);
      },
    });
  return [end(a, b), end(b, a)];
}

test("a call is answered, fails with the other side's message, and fails when the channel ends", async () => {
  const [here, there] = pair();
  openCalls(there, {
    double: async (n) => Number(n) * 2,
    refuse: () => Promise.reject(new Error('port in use')),
    never: () => new Promise(() => undefined),
  });
  const calls = openCalls(here, {});
  expect(await Promise.all([calls.call('double', 4), calls.call('double', 5)])).toEqual([8, 10]);
  await expect(calls.call('refuse')).rejects.toThrow('port in use');
  await expect(calls.call('unheard of')).rejects.toThrow('there is no handler for');
  await expect(calls.call('never', undefined, 20)).rejects.toThrow('longer than 20 ms');
  const ending = expect(calls.call('never')).rejects.toThrow('has ended');
  here.emit('disconnect');
  await ending;
  await expect(calls.call('double', 1)).rejects.toThrow('has ended');
});

test('a configuration arrives as it was sent, secrets and the places of definitions included', () => {
  const config = parseConfig(
    [
      'workflow:',
      '  adapters: [{name: lims, type: csv, source: ./x.csv, entity_type: Sample, map: {id: row.id}}]',
      '  triggers: [{name: h, type: webhook, path: /hooks/x, secret_env: S, action: {type: ingest, adapter: lims}}]',
    ].join('\n'),
    '/etc/cairn/gateway.yaml',
    { env: { S: 'hush' }, cwd: '/etc/cairn' },
  );
  const arrived = unpackConfig(v8.deserialize(v8.serialize(packConfig(config))));
  const without = (value: object): unknown =>
    JSON.parse(JSON.stringify(value, (key, item: unknown) => (key === 'origin' ? undefined : item)));
  expect(without(arrived)).toEqual(without(config));
  const [sent, trigger] = [config.workflow.triggers[0], arrived.workflow.triggers[0]];
  if (trigger?.type !== 'webhook' || sent === undefined) throw new Error('the trigger did not arrive');
  expect(trigger.secret.map((secret) => secret.reveal())).toEqual(['hush']);
  expect(JSON.stringify(arrived)).not.toContain('hush');
  expect(trigger.origin.document.locate(trigger.origin.path)).toEqual(
    sent.origin.document.locate(sent.origin.path),
  );
});

test('metrics of workers add up, and what a worker that ended had counted stays counted', async () => {
  const merged = createMergedMetrics();
  const worker = () =>
    createMetrics({
      componentHealth: async () => ({ metadata: 1 }),
      circuits: () => ({}),
      activeTokens: async () => 7,
    });
  const workers = [worker(), worker()];
  workers.forEach((metrics, i) => {
    merged.add(i, { call: () => metrics.snapshot() });
  });
  for (const metrics of workers) metrics.requestDone('GET', '/x', 200, 0.003);
  workers[1]?.requestDone('GET', '/x', 200, 0.3);
  const total = async (): Promise<string[]> =>
    (await merged.text())
      .split('\n')
      .filter((line) =>
        /^gateway_(requests_total|active|component|request_duration_seconds_(count|bucket.*le="0.005"))/.test(
          line,
        ),
      );
  const all = [
    'gateway_requests_total{method="GET",path_prefix="/x",status="200"} 3',
    'gateway_request_duration_seconds_bucket{method="GET",path_prefix="/x",le="0.005"} 2',
    'gateway_request_duration_seconds_count{method="GET",path_prefix="/x"} 3',
    'gateway_component_health{component="metadata"} 1',
    'gateway_active_tokens 7',
  ];
  expect((await total()).sort()).toEqual([...all].sort());
  merged.remove(1);
  expect((await total()).sort()).toEqual([...all].sort());
  merged.add(2, { call: () => worker().snapshot() });
  expect((await total()).sort()).toEqual([...all].sort());
});

/** A worker that lives until it is told to end, or dies. */
function double(pid: number): Forked & { die(): void } {
  let ended: (outcome: { code: number | null; signal: string | null }) => void = () => undefined;
  const gone = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    ended = resolve;
  });
  let closing = false;
  return {
    worker: { process: { pid } } as Forked['worker'], // The pool uses nothing else of it.
    calls: { call: async () => undefined },
    url: `http://127.0.0.1:${pid}`,
    startedAt: performance.now(),
    gone,
    isClosing: () => closing,
    retire: async () => undefined,
    async close() {
      closing = true;
      ended({ code: 0, signal: null });
    },
    die() {
      ended({ code: null, signal: 'SIGKILL' });
    },
  };
}

test('a worker that dies is replaced, later each time; reload replaces each and keeps the old one where the new cannot start', async () => {
  const forked: (ReturnType<typeof double> & { settings: string })[] = [];
  const slots = createWorkerPool<string>({
    log: silent,
    onEnded: () => undefined,
    fork: async (settings) => {
      if (settings === 'broken') throw new Error('port in use');
      const worker = Object.assign(double(forked.length + 1), { settings });
      forked.push(worker);
      return worker;
    },
  });
  expect(await slots.start('old', 2)).toBe('http://127.0.0.1:1');
  const start = performance.now();
  forked[0]?.die();
  await waitFor(() => {
    expect(forked).toHaveLength(3);
  });
  forked[2]?.die();
  await waitFor(() => {
    expect(forked).toHaveLength(4);
  });
  expect(performance.now() - start).toBeGreaterThan(280); // 100 ms, then 200 ms
  await expect(slots.reload('broken', 2)).rejects.toThrow('port in use');
  expect(forked.map((worker) => worker.isClosing())).toEqual([false, false, false, false]);
  await slots.reload('new', 3);
  expect(
    forked.map(({ settings, isClosing }) => `${settings} ${isClosing() ? 'closed' : 'open'}`).slice(3),
  ).toEqual(['old closed', 'new open', 'new open', 'new open']);
  await slots.close();
  expect(forked.slice(3).every((worker) => worker.isClosing())).toBe(true);
  await expect(
    createWorkerPool<string>({
      log: silent,
      onEnded: () => undefined,
      fork: () => Promise.reject(new Error('no')),
    }).start('x', 2),
  ).rejects.toThrow('no');
});

test('a worker that starts while the pool closes is not used, and has ended when the pool has', async () => {
  const forked: ReturnType<typeof double>[] = [];
  let comesUp = (): void => undefined;
  const slots = createWorkerPool<string>({
    log: silent,
    onEnded: () => undefined,
    fork: async (settings) => {
      if (settings === 'new')
        await new Promise<void>((resolve) => {
          comesUp = resolve;
        });
      const worker = double(forked.length + 1);
      forked.push(worker);
      return worker;
    },
  });
  await slots.start('old', 1);
  const reloading = expect(slots.reload('new', 1)).rejects.toThrow('the server stops');
  const closing = slots.close();
  comesUp();
  await closing;
  expect(forked.map((worker) => worker.isClosing())).toEqual([true, true]);
  await reloading;
  await expect(slots.reload('new', 1)).rejects.toThrow('the server stops');
});
