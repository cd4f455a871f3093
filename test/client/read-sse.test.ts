// Server-sent events, however their bytes are split.
import { expect, test } from 'vitest';
import { readEvents, type SentEvent } from '../../client/src/events/read-sse.ts';

async function read(...pieces: (string | Uint8Array)[]): Promise<SentEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      controller.close();
    },
  });
  const events: SentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test('events have names and data, comments are passed over, an event without data is none', async () => {
  expect(
    await read(':\n\nevent: next\ndata: {"a":1}\n\n: still here\n\nevent: nothing\n\ndata:bare\n\n'),
  ).toEqual([
    { event: 'next', data: '{"a":1}' },
    { event: 'message', data: 'bare' },
  ]);
});

test('several data lines are one text of several lines', async () => {
  expect(await read('data: one\ndata:\ndata:  two\n\n')).toEqual([{ event: 'message', data: 'one\n\n two' }]);
});

test.each(['\n', '\r\n', '\r'])('lines may end in %j, and bytes may be cut anywhere', async (end) => {
  const bytes = new TextEncoder().encode(
    ['event: next', 'data: é𝄞', '', 'data: 2', '', ''].join(end) + (end === '\r' ? ':\n' : ''),
  );
  expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([
    { event: 'next', data: 'é𝄞' },
    { event: 'message', data: '2' },
  ]);
});

test('an event that the stream ends in is none', async () => {
  expect(await read('data: whole\n\ndata: cut')).toEqual([{ event: 'message', data: 'whole' }]);
});

test('leaving the loop ends the stream', async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('data: x\n\n'));
    },
    cancel() {
      cancelled = true;
    },
  });
  for await (const { data } of readEvents(body)) if (data === 'x') break;
  expect(cancelled).toBe(true);
});

test('a stream that is silent for too long is lost; one with heartbeats is not', async () => {
  const beating = (beats: number): ReadableStream<Uint8Array> =>
    new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => {
          setTimeout(resolve, beats-- > 0 ? 30 : 10_000);
        });
        controller.enqueue(new TextEncoder().encode(':\n\n'));
      },
    });
  const started = performance.now();
  await expect(
    (async () => {
      for await (const event of readEvents(beating(5), { silenceMs: 100 }))
        throw new Error(`an event: ${event.data}`);
    })(),
  ).rejects.toThrow('no data was received for 100 ms');
  expect(performance.now() - started).toBeGreaterThan(5 * 29 + 90);
});

test('a signal ends the reading of a silent stream', async () => {
  const events = readEvents(new ReadableStream({}), { signal: AbortSignal.timeout(50) });
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test('a stream that fails fails the reading with its own error', async () => {
  const mine = new Error('torn');
  const events = readEvents(
    new ReadableStream({
      pull(controller) {
        controller.error(mine);
      },
    }),
  );
  await expect(events.next()).rejects.toBe(mine);
});
