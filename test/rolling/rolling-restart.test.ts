// Processes behind a plain balancer are restarted one after another, with requests and a follower of the feed:
// nothing is refused and no event is missed (docs/reference/gateway.md#stop). CAIRN_PROVE_ROLLING sets the least
// number of requests (npm run prove: 100,000).
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keptConnection } from '../testkit/kept-connection.ts';
import { startFleet, underLoad } from './fleet.ts';

const REQUESTS = Number(process.env['CAIRN_PROVE_ROLLING'] ?? 500);
const IS_FULL = REQUESTS > 1000;

test('processes are restarted one after another, and nothing is refused or missed', async () => {
  await using fleet = await startFleet({
    processes: IS_FULL ? 3 : 2,
    config: `lame_duck_seconds: 1, workers: ${IS_FULL ? 2 : 1}`,
  });
  const { answered, failures, goodbyes } = await underLoad(fleet, async (answers) => {
    for (let round = 0; round === 0 || answers.answered + answers.failures.length < REQUESTS; round++)
      for (const port of fleet.ports) await fleet.replace(port);
  });
  console.info(`${answered} answered, ${failures.length} failed`);
  // together: a connection that the balancer gave to a process that had ended is a fault of its own
  expect({ failures, refused: fleet.balancer.refused }).toEqual({ failures: [], refused: [] });
  // its reader is told by each server that it is connected to
  expect(goodbyes.length).toBeGreaterThan(0);
  expect(new Set(goodbyes)).toEqual(new Set(['the server is going away']));
  expect(Math.min(...fleet.balancer.given.values())).toBeGreaterThan(0);
});

test('a connection that was idle through the lame duck is answered once more', async () => {
  await using fleet = await startFleet({ processes: 1, config: 'lame_duck_seconds: 1, workers: 2' });
  const server = fleet.server(fleet.ports[0] ?? 0);
  const connections = Array.from({ length: 6 }, () => keptConnection(server.url));
  const askAll = () =>
    Promise.all(connections.map((one) => one.ask('/api/v1/metadata/entities?limit=1', fleet.key)));
  for (const { headers } of await askAll()) expect(headers.connection).toBe('keep-alive');
  const began = performance.now();
  const ended = server.end('SIGTERM');
  await sleep(2500);
  for (const { status, headers } of await askAll())
    expect([status, headers.connection]).toEqual([200, 'close']);
  expect(await ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(15_000); // it does not wait for who has gone
  for (const one of connections) one.end();
});
