import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Circuit } from './circuit.ts';

const away = new Error('away');
const failing = (): Promise<never> => Promise.reject(away);

test('after ten failures in a row it refuses for a second, and the first success lets all through', async () => {
  const circuit = new Circuit('viewer');
  for (let n = 0; n < 9; n++) await expect(circuit.run(failing, () => true)).rejects.toBe(away);
  expect(
    await circuit.run(
      async () => 'ok',
      () => true,
    ),
  ).toBe('ok'); // they are not in a row any more
  for (let n = 0; n < 10; n++) await expect(circuit.run(failing, () => true)).rejects.toBe(away);
  expect(circuit.isOpen).toBe(true);
  let asked = 0;
  const asking = async (): Promise<number> => ++asked;
  await expect(circuit.run(asking, () => true)).rejects.toMatchObject({
    code: 'component_unavailable',
    details: { component: 'viewer', upstream_status: null },
  });
  expect(asked).toBe(0);
  await sleep(1050);
  expect(await circuit.run(asking, () => true)).toBe(1);
  expect(circuit.isOpen).toBe(false);
});

test('what is no fault of the component does not count', async () => {
  const circuit = new Circuit('viewer');
  for (let n = 0; n < 20; n++) await expect(circuit.run(failing, () => false)).rejects.toBe(away);
  expect(circuit.isOpen).toBe(false);
});
