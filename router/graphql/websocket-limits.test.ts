// What counts as a message that does not end.
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../platform/config/limits-section.ts';
import { ByteBudget } from '../../platform/intake/byte-budget.ts';
import { type Guest, WebSocketLimits } from './websocket-limits.ts';

const limits = { ...DEFAULT_LIMITS, bodySeconds: -1 }; // all that is incomplete is late
function admitted(): { readonly guest: Guest; readonly budget: ByteBudget } {
  const budget = new ByteBudget(() => limits);
  return { guest: new WebSocketLimits(limits, budget).admit('127.0.0.1', 'user:ada'), budget };
}

test('a client that only answers pings has no message under way, however long that is', () => {
  const { guest, budget } = admitted();
  for (let beat = 0; beat < 3; beat++) {
    guest.bytes(10);
    guest.ping(10);
  }
  expect([guest.isLate(), budget.held]).toEqual([false, 0]);
});

test('a message that does not end is late, whatever pongs come in between', () => {
  const { guest, budget } = admitted();
  guest.bytes(100);
  guest.bytes(6);
  guest.ping(6);
  guest.ping();
  expect([guest.isLate(), budget.held]).toEqual([true, 106]);
});
