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
  const { answered, failures } = await underLoad(fleet, async (answers) => {
    for (let round = 0; round === 0 || answers.answered + answers.failures.length < REQUESTS; round++)
      for (const port of fleet.ports) await fleet.replace(port);
  });
  console.info(`${answered} answered, ${failures.length} failed`);
  expect(failures).toEqual([]);
  expect(Math.min(...fleet.balancer.given.values())).toBeGreaterThan(0);
});
