// What has ended is known in every process before anybody is told that it has (contract 1.4, «at once in every process»).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Listener } from '../../platform/database/listener.ts';
import { openEndings } from '../../router/endings/endings.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';

test('who ends a credential waits for the process that hears of it late', async () => {
  await using database = await freshDatabase();
  const listenLate: Listener['listen'] = (channel, onMessage, onReconnect) =>
    database.listen(
      channel,
      (message) => {
        setTimeout(onMessage, 200, message);
      },
      onReconnect,
    );
  const one = await openEndings({ db: database.pool, listen: database.listen, log: testLog });
  const late = await openEndings({ db: database.pool, listen: listenLate, log: testLog });
  const heard = new Set<string>();
  late.onEnded(({ id }) => {
    heard.add(id);
  });
  const endedInBoth = async (): Promise<boolean> => {
    const id = randomUUID();
    await database.pool.query(`SELECT pg_notify('gateway_credential_ended', $1)`, [`key ${id}`]);
    await one.spread({ kind: 'key', id });
    return heard.has(id);
  };
  await expect.poll(endedInBoth, { timeout: 20_000 }).toBe(true); // not the first, perhaps: who has not been heard of yet is not waited for, nor for long who does not answer
  await one.close();
  await late.close();
});
