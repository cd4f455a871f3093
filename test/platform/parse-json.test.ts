// Large JSON text is parsed in parts, between which the event loop goes on.
import { expect, test } from 'vitest';
import { parseJsonInTurns } from '../../platform/budget/parse-json.ts';
import { loopShare } from '../testkit/loop-share.ts';

const rows = Array.from({ length: 60_000 }, (_, i) => ({
  id: `r${i}`,
  n: i,
  t: [1, 'a,]}"\\', null],
  'k"{': { d: 'x'.repeat(50) },
}));

test('others run meanwhile', async () => {
  const text = JSON.stringify({ data: { items: rows } });
  const shares: number[] = [];
  // the least of three: a pause of the collector or of this process can make one of them long
  for (let i = 0; i < 3; i++) shares.push(await loopShare(() => parseJsonInTurns(text, undefined)));
  expect(Math.min(...shares)).toBeLessThan(1 / 4);
});
