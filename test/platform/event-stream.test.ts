// Server-sent events between the platform's own sender and reader: content, back-pressure and end.
import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readEventStream } from '../../platform/read-event-stream.ts';
import { acceptsEventStream, sendEventStream, wantsEventStream } from '../../platform/send-event-stream.ts';

async function serve(answer: (res: ServerResponse) => Promise<void>): Promise<number> {
  const server = http.createServer((_, res) => {
    void answer(res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const never = new AbortController().signal;
async function* from(texts: readonly string[]): AsyncGenerator<string, void, undefined> {
  for (const text of texts) yield await Promise.resolve(text);
}
async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('sent events are read unchanged, whatever the sizes of the chunks', async () => {
  const texts = ['{"a":"ü€𝄞\\n"}', '{}', JSON.stringify({ long: 'x'.repeat(100_000) })];
  const port = await serve((res) => sendEventStream(res, from(texts), { signal: never }));
  const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
  for (const size of [1, 7, 4096, 1_000_000]) {
    const events = await all(readEventStream(chunks(text, size)));
    expect(events).toEqual([
      ...texts.map((data) => ({ event: 'next', data })),
      { event: 'complete', data: '' },
    ]);
  }
});

test('a silent stream has heartbeats, and one that is ended from this side says when to reconnect, without a complete', async () => {
  const closing = new AbortController();
  async function* silent(): AsyncGenerator<string, void, undefined> {
    await once(closing.signal, 'abort');
    yield* from([]);
  }
  const port = await serve((res) =>
    sendEventStream(res, silent(), { signal: closing.signal, heartbeatMs: 20 }),
  );
  const response = await fetch(`http://127.0.0.1:${port}`);
  setTimeout(() => {
    closing.abort();
  }, 200);
  expect(await response.text()).toMatch(/^(:\n\n){4,}: going away\nretry: 500\n\n$/);
});

test('a reader that does not read is not sent more than its connection holds', async () => {
  let made = 0;
  async function* endless(): AsyncGenerator<string, void, undefined> {
    for (;;) {
      made++;
      yield await Promise.resolve('x'.repeat(100_000));
    }
  }
  const port = await serve((res) => sendEventStream(res, endless(), { signal: never }));
  const socket = net.connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  await sleep(300);
  const held = made;
  await sleep(300);
  expect(made).toBe(held);
  expect(made * 100_000).toBeLessThan(50_000_000);
  socket.destroy();
});

test('a reader that leaves ends its source', async () => {
  let ended = false;
  const port = await serve(async (res) => {
    const gone = new AbortController();
    res.once('close', () => {
      gone.abort();
    });
    async function* source(): AsyncGenerator<string, void, undefined> {
      try {
        yield '{}';
        await once(gone.signal, 'abort');
      } finally {
        ended = true;
      }
    }
    await sendEventStream(res, source(), { signal: never });
  });
  const gone = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}`, { signal: gone.signal });
  await response.body?.getReader().read();
  gone.abort();
  for (let i = 0; i < 100 && !ended; i++) await sleep(10);
  expect(ended).toBe(true);
});

test('an event that does not end is refused', async () => {
  async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) yield await Promise.resolve(Buffer.alloc(1024 * 1024, 0x78));
  }
  await expect(all(readEventStream(endless()))).rejects.toThrow('an event of the stream is too long');
});

test('only those who ask for event streams get one', () => {
  const wants = (accept?: string): boolean =>
    wantsEventStream({ headers: accept === undefined ? {} : { accept } });
  expect(['text/event-stream', 'Text/Event-Stream; charset=utf-8'].map(wants)).toEqual([true, true]);
  expect(
    [undefined, '*/*', 'application/json', 'application/json, text/event-stream', 'text/event-streaming'].map(
      wants,
    ),
  ).toEqual([false, false, false, false, false]);
});

test('an endpoint that only has event streams answers all clients that accept them among others', () => {
  const accepts = (accept?: string): boolean =>
    acceptsEventStream({ headers: accept === undefined ? {} : { accept } });
  expect(
    [
      'text/event-stream, application/json',
      'application/json;q=0.9, Text/Event-Stream;q=0.5',
      'text/event-stream',
    ].map(accepts),
  ).toEqual([true, true, true]);
  expect(
    [undefined, '*/*', 'application/json', 'text/event-stream;q=0', 'text/event-stream; q=0.00, */*'].map(
      accepts,
    ),
  ).toEqual([false, false, false, false, false]);
});
