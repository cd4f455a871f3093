// One LISTEN for all who wait, and no notification that falls between a look and the wait after it.
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Notifier } from './notifier.ts';

/** A notifier, and what it does to its source. */
function bench(pollMs = 60_000) {
  const source = { listening: 0, notify: (_: string): void => undefined, gap: (): void => undefined };
  const notifier = new Notifier({
    channel: 'c',
    log: pino({ level: 'silent' }),
    pollMs,
    listen: (_, onMessage, onReconnect = () => undefined) => {
      source.listening++;
      Object.assign(source, { notify: onMessage, gap: onReconnect });
      return Promise.resolve(() => {
        source.listening--;
        return Promise.resolve();
      });
    },
  });
  return { notifier, source };
}

test('a notifier listens once for all followers, and only while there are any', async () => {
  const { notifier, source } = bench();
  expect(source.listening).toBe(0);
  const releases = await Promise.all(
    ['a', 'a', 'b', null].map((key) => notifier.follow(key, () => undefined)),
  );
  expect(source.listening).toBe(1);
  for (const release of releases.slice(1)) await release();
  expect(source.listening).toBe(1);
  await releases[0]?.();
  await releases[0]?.();
  expect(source.listening).toBe(0);
});

test('a notification wakes those who follow its key and those who follow any; a gap wakes everybody', async () => {
  const { notifier, source } = bench();
  const woken: string[] = [];
  for (const key of ['a', 'b', null]) await notifier.follow(key, () => woken.push(String(key)));
  source.notify('a');
  expect(woken.splice(0)).toEqual(['a', 'null']);
  source.gap();
  expect(woken).toEqual(['a', 'b', 'null']);
  expect(notifier.count).toBe(2);
});

test('a notification between reading and waiting ends that wait at once; the next wait is not affected', async () => {
  const { notifier, source } = bench();
  const waiter = await notifier.waiter('a');
  source.notify('a');
  source.notify('b');
  await waiter.next();
  let isOver = false;
  const next = waiter.next().then(() => (isOver = true));
  source.notify('b');
  await Promise.resolve();
  expect(isOver).toBe(false);
  source.notify('a');
  await next;
});

test('a wait ends after its time, and with its signal', async () => {
  const { notifier } = bench(1);
  await (await notifier.waiter('a')).next();
  const stop = new AbortController();
  const waiter = await notifier.waiter('a', stop.signal);
  const next = waiter.next(60_000);
  stop.abort();
  await next;
  await waiter.next(60_000);
});

test('where listening fails, the next one tries again', async () => {
  let calls = 0;
  const notifier = new Notifier({
    channel: 'c',
    log: pino({ level: 'silent' }),
    listen: () =>
      ++calls === 1 ? Promise.reject(new Error('closed')) : Promise.resolve(() => Promise.resolve()),
  });
  await expect(notifier.follow('a', () => undefined)).rejects.toThrow('closed');
  await notifier.follow('a', () => undefined);
  expect(calls).toBe(2);
});
