// Server-sent events, however their bytes are cut.
import { expect, test } from 'vitest';
import { readEvents, type SentEvent } from '../../client/src/events/read-sse.ts';

async function read(...pieces: (string | Uint8Array)[]): Promise<SentEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      controller.close();
    },
  });
  const events: SentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test('events have names and data, comments are passed over, an event without data is none', async () => {
  expect(await read(':\n\nevent: next\ndata: {"a":1}\n\n: still here\n\nevent: nothing\n\ndata:bare\n\n')).toEqual([{ event: 'next', data: '{"a":1}' }, { event: 'message', data: 'bare' }]);
});

test('several data lines are one text of several lines', async () => {
  expect(await read('data: one\ndata:\ndata:  two\n\n')).toEqual([{ event: 'message', data: 'one\n\n two' }]);
});

test.each(['\n', '\r\n', '\r'])('lines may end in %j, and bytes may be cut anywhere', async (end) => {
  const bytes = new TextEncoder().encode(['event: next', 'data: é𝄞', '', 'data: 2', '', ''].join(end) + (end === '\r' ? ':\n' : ''));
  expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([{ event: 'next', data: 'é𝄞' }, { event: 'message', data: '2' }]);
});

test('an event that the stream ends in is none', async () => {
  expect(await read('data: whole\n\ndata: cut')).toEqual([{ event: 'message', data: 'whole' }]);
});

test('leaving the loop ends the stream', async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) { controller.enqueue(new TextEncoder().encode('data: x\n\n')); },
    cancel() { cancelled = true; },
  });
  for await (const { data } of readEvents(body)) if (data === 'x') break;
  expect(cancelled).toBe(true);
});
