// Reads of workflow and artifact as of a time give the answers that were given then
// (docs/reference/api-conventions.md#time-travel, docs/decisions/0167): while several write, and afterwards.
import { expect, test } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import { admin, callerOf } from '../testkit/callers.ts';
import { pastBench } from './past-bench.ts';
import { seeded, Writer } from './past-history.ts';
import type { Read } from './past-reads.ts';

const ANSWERS = Number(process.env['CAIRN_PROVE_PAST_ANSWERS'] ?? 300);
const SEED = Number(process.env['CAIRN_PROVE_PAST_SEED'] ?? Date.now() % 1_000_000);
const CALLERS = [admin, callerOf('user:vera', ['viewer'], ['alpha'])];

test('every answer as of a time is given again later, and what is answered now is the answer as of now', async () => {
  await using bench = await pastBench();
  const { pool, now, answer, reads } = bench;
  const random = seeded(SEED);
  const writers = [0, 1, 2, 3].map((n) => new Writer(pool, seeded(SEED + n + 1), `owner ${n}`));
  const seen: { read: Read; caller: Caller; asOf: string; answered: string; whole: boolean }[] = [];
  const isOfEntities = ({ document }: Read): boolean => document.includes('_entities');
  while (seen.length < ANSWERS) {
    let isWriting = true;
    const written = Promise.all(
      writers.map(async (writer) => {
        for (let n = 0; n < 8; n++) await writer.step();
      }),
    ).finally(() => {
      isWriting = false;
    });
    for (const read of isWriting ? await reads() : []) {
      const [asOf, caller] = [await now(), CALLERS[random(2)] ?? admin];
      const whole = isOfEntities(read) || random(2) === 0;
      seen.push({ read, caller, asOf, whole, answered: await answer(read, caller, asOf, whole) });
      if (!isWriting) break;
    }
    await written;
    const asOf = await now();
    for (const read of await reads())
      for (const caller of CALLERS) {
        const answered = await answer(read, caller, asOf, isOfEntities(read));
        if (!read.isConfigured) expect(answered, `seed ${SEED}`).toBe(await answer(read, caller, null));
        seen.push({ read, caller, asOf, answered, whole: isOfEntities(read) });
      }
  }
  let different = 0;
  for (const { read, caller, asOf, answered, whole } of seen) {
    const again = await answer(read, caller, asOf, whole);
    if (again !== answered && different++ === 0)
      expect(again, `seed ${SEED}: ${read.document} as of ${asOf}`).toBe(answered);
  }
  if (process.env['CAIRN_PROVE_PAST_ANSWERS'])
    console.log(`${seen.length} answers, ${different} different, seed ${SEED}`);
  expect(different).toBe(0);
}, 14_400_000);
