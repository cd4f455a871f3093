// An ended credential is refused by every process before its end is reported
// (docs/reference/gateway.md#end-of-a-credential).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Listener } from '../../platform/database/listener.ts';
import { openCredentialInvalidation } from '../../router/credential-invalidation/credential-invalidation.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';

test('ending a credential waits for a process that receives the notification late', async () => {
  await using database = await freshDatabase();
  const listenLate: Listener['listen'] = (channel, onMessage, onReconnect) =>
    database.listen(
      channel,
      (message) => {
        setTimeout(onMessage, 200, message);
      },
      onReconnect,
    );
  const one = await openCredentialInvalidation({ db: database.pool, listen: database.listen, log: testLog });
  const late = await openCredentialInvalidation({ db: database.pool, listen: listenLate, log: testLog });
  const heard = new Set<string>();
  late.onInvalidated(({ id }) => {
    heard.add(id);
  });
  const endedInBoth = async (): Promise<boolean> => {
    const id = randomUUID();
    await database.pool.query(`SELECT pg_notify('gateway_credential_ended', $1)`, [`key ${id}`]);
    await one.broadcast({ kind: 'key', id });
    return heard.has(id);
  };
  // possibly not the first: unknown processes are not waited for, and unresponsive ones only for a short time
  await expect.poll(endedInBoth).toBe(true);
  await one.close();
  await late.close();
});
