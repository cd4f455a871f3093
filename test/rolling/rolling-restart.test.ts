// Processes behind a plain balancer are restarted one after another, with requests and a follower of the feed:
// nothing is refused and no event is missed (docs/reference/gateway.md#stop). CAIRN_PROVE_ROLLING sets the least
// number of requests (npm run prove: 100,000).
import { expect, test } from 'vitest';
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
  expect(failures).toEqual([]);
  // its reader is told by each server that it is connected to
  expect(goodbyes.length).toBeGreaterThan(0);
  expect(new Set(goodbyes)).toEqual(new Set(['the server is going away']));
  expect(Math.min(...fleet.balancer.given.values())).toBeGreaterThan(0);
});
