// Bodies that pass through, streamed, interrupted or unread.
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { startUpstream, startBefore } from './pass-through-testkit.ts';

test('a component that fails half way cuts the response off', async () => {
  await using upstream = await startUpstream((_, res) => {
    res.writeHead(200, { 'content-length': '100' });
    res.write('half');
    setTimeout(() => res.destroy(), 50);
  });
  await using gateway = await startBefore(upstream.url);
  const answer = await gateway.fetch('/api/v1/viewer/x', { key: await gateway.keyFor('viewer') });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test('a response is streamed: its first part arrives while the rest is still being produced', async () => {
  let finish: () => void = () => undefined;
  await using upstream = await startUpstream((_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('data: 1\n\n');
    finish = () => res.end('data: 2\n\n');
  });
  await using gateway = await startBefore(upstream.url);
  const answer = await gateway.fetch('/api/v1/viewer/x', { key: await gateway.keyFor('viewer') });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader(); // fetch's bodies are bytes.
  const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toBe('data: 1\n\n');
  finish();
  expect(await next()).toBe('data: 2\n\n');
});

test('a client that disconnects ends the upstream request', async () => {
  let gone: (value: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    gone = resolve;
  });
  await using upstream = await startUpstream((req, res) => {
    req.on('close', () => gone(req.url ?? ''));
    res.writeHead(200);
    res.write('x');
  });
  await using gateway = await startBefore(upstream.url);
  const abort = new AbortController();
  const answer = await gateway.fetch('/api/v1/viewer/long', {
    key: await gateway.keyFor('viewer'),
    signal: abort.signal,
  });
  expect(answer.status).toBe(200);
  abort.abort();
  expect(await ended).toBe('/long');
});

test('an upload that the component does not want to read is still answered', async () => {
  await using upstream = await startUpstream((_, res) => {
    res.writeHead(422, { 'content-type': 'text/plain' }).end('no thanks');
  });
  await using gateway = await startBefore(upstream.url);
  const key = await gateway.keyFor('viewer');
  const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const req = request(
      `${gateway.url}/api/v1/viewer/x`,
      { method: 'POST', headers: { 'x-api-key': key } },
      (res) => {
        let text = '';
        res.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        res.on('end', () => resolve([res.statusCode, text]));
      },
    );
    req.on('error', reject);
    req.write(Buffer.alloc(256 * 1024));
    setTimeout(() => req.end(), 100);
  });
  expect(answer).toEqual([422, 'no thanks']);
});

test("the unread rest of an upload does not delay the connection's next request", async () => {
  await using gateway = await startBefore('http://127.0.0.1:1');
  const key = await gateway.keyFor('viewer');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (
    method: string,
    path: string,
    body?: Buffer,
  ): Promise<{ status: number | undefined; port: number | undefined }> =>
    new Promise((resolve, reject) => {
      const req = request(
        `${gateway.url}${path}`,
        { method, agent, headers: { 'x-api-key': key } },
        (res) => {
          const port = req.socket?.localPort;
          res.resume().on('end', () => resolve({ status: res.statusCode, port }));
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  const upload = await send('POST', '/api/v1/viewer/x', Buffer.alloc(4 * 1024 * 1024));
  expect(upload.status).toBe(503);
  expect(await send('GET', '/api/v1/nowhere')).toEqual({ status: 404, port: upload.port });
  agent.destroy();
});

test('64 MiB pass in both directions without being buffered: a sender is ahead by no more than the socket buffers', async () => {
  const size = 64 * 1024 * 1024;
  const chunk = Buffer.alloc(256 * 1024, 'abcdefgh');
  let sent = 0;
  function* parts(): Iterable<Buffer> {
    for (sent = 0; sent < size; sent += chunk.length) yield chunk;
  }
  const digest = createHash('sha256');
  for (const part of parts()) digest.update(part);
  /** Waits until the sender makes no more progress, and returns how far it got. */
  const standstill = async (): Promise<number> => {
    for (let last = -1; last !== sent;) {
      last = sent;
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
    }
    return sent;
  };
  let aheadUp = 0;
  await using upstream = await startUpstream(async (req, res) => {
    if (req.method === 'GET') return pipeline(parts(), res);
    aheadUp = await standstill();
    const hash = createHash('sha256');
    // Without an encoding, a request returns Buffers.
    for await (const part of req) hash.update(part as Buffer);
    res.end(hash.digest('hex'));
  });
  await using gateway = await startBefore(upstream.url, { timeoutMs: 20_000 });
  const key = await gateway.keyFor('viewer');

  const hashed = await new Promise<string>((resolve, reject) => {
    const req = request(
      `${gateway.url}/api/v1/viewer/up`,
      { method: 'PUT', headers: { 'x-api-key': key } },
      (res) => {
        let text = '';
        res.on('data', (data: Buffer) => {
          text += data.toString();
        });
        res.on('end', () => resolve(text));
      },
    );
    req.on('error', reject);
    pipeline(parts(), req).catch(reject);
  });
  expect(hashed).toBe(digest.digest('hex'));

  const { received, aheadDown } = await new Promise<{ received: number; aheadDown: number }>(
    (resolve, reject) => {
      request(`${gateway.url}/api/v1/viewer/down`, { headers: { 'x-api-key': key } }, (res) => {
        void standstill().then((ahead) => {
          let length = 0;
          res.on('data', (data: Buffer) => {
            length += data.length;
          });
          res.on('end', () => resolve({ received: length, aheadDown: ahead }));
        });
      })
        .on('error', reject)
        .end();
    },
  );
  expect(received).toBe(size);
  expect(Math.max(aheadUp, aheadDown)).toBeLessThan(size / 2);
});
