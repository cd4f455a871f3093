import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../config/limits-section.ts';
import { createHttpServer } from '../http-server.ts';
import { readBody } from '../read-body.ts';
import { readInParts } from './direct-reading.ts';
import { Intake } from './intake.ts';
import type { IntakeOptions } from './open-connections.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function served(
  listener: (req: IncomingMessage, res: ServerResponse) => void,
  options: IntakeOptions = { limits: DEFAULT_LIMITS, isTrusted: () => true },
): Promise<{ port: number; server: Server; intake: Intake }> {
  const intake = new Intake(options);
  const server = createHttpServer(intake, listener);
  servers.push(server);
  server.on('connection', readInParts); // as if others had brought too much
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server, intake }; // it listens on TCP
}

/** Until the server has accepted as many: it accepts one in each turn of the loop. */
const accepted = (server: Server, count: number): Promise<void> =>
  expect
    .poll(
      () =>
        new Promise((resolve) => {
          server.getConnections((_error, found) => {
            resolve(found);
          });
        }),
    )
    .toBe(count);

async function connected(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // a server may close it while it sends
  await once(socket, 'connect');
  return socket;
}

const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const inBytes = (text: string): string => [...text].map((one) => `1\r\n${one}\r\n`).join('') + '0\r\n\r\n';

async function answerOn(socket: net.Socket): Promise<string> {
  let text = '';
  for await (const piece of socket) {
    text += String(piece);
    if (text.includes('\r\n\r\n')) break;
  }
  return text;
}

const bodyBack = (req: IncomingMessage, res: ServerResponse): void => {
  void readBody({ req, res, bodyLimit: 1e6 }).then(
    (body) => res.end(body),
    (refusal: unknown) => {
      res.statusCode = 429;
      res.end(String(refusal));
    },
  );
};

test('small chunks of hundreds of connections are parsed in several turns of the event loop', async () => {
  let [inTurn, most, all] = [0, 0, 0];
  const { port, server } = await served((req, res) => {
    req.on('data', () => {
      if (inTurn++ === 0)
        setImmediate(() => {
          [inTurn, most, all] = [0, Math.max(most, inTurn), all + inTurn];
        });
    });
    req.once('end', () => res.end());
  });
  const clients = await Promise.all(Array.from({ length: 60 }, () => connected(port)));
  await accepted(server, 60);
  const answers = clients.map(answerOn);
  const body = CHUNKED + inBytes('a'.repeat(3000));
  for (const socket of clients) socket.write(body);
  await Promise.all(answers);
  expect(all).toBeGreaterThan(100_000); // the last turn's are not counted
  expect(most / all).toBeLessThan(0.1);
});

test('only one part of a body is parsed before somebody reads it', async () => {
  let request: IncomingMessage | undefined;
  const { port } = await served((req) => {
    request = req;
  });
  const socket = await connected(port);
  socket.write(CHUNKED + inBytes('a'.repeat(10_000)));
  await expect.poll(() => request?.readableLength ?? 0).toBeGreaterThan(0);
  await sleep(50); // until more of it would have been parsed, which has no event
  expect(request?.readableLength).toBeLessThan(100);
  const read: string[] = [];
  request?.on('data', (piece: Buffer) => read.push(piece.toString()));
  await expect.poll(() => read.length).toBe(10_000);
  socket.destroy();
});

test('a new connection does not wait for connections that send a lot', async () => {
  const order: string[] = [];
  const { port, server } = await served((req, res) => {
    // longer than a turn, all together
    for (const from = performance.now(); req.method === 'POST' && performance.now() - from < 1;);
    req.resume().once('end', () => {
      order.push(req.method ?? '');
      res.end();
    });
  });
  const clients = await Promise.all(Array.from({ length: 30 }, () => connected(port)));
  const late = await connected(port);
  await accepted(server, 31);
  const answered = [...clients, late].map(answerOn);
  for (const socket of clients) socket.write(CHUNKED + inBytes('a'.repeat(3000)));
  late.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all(answered);
  expect(order.indexOf('GET')).toBeLessThan(2);
});

/** Sixty clients that send their bodies as fast as they are taken. */
async function flooding(port: number, server: Server, head: string): Promise<readonly net.Socket[]> {
  const clients = await Promise.all(Array.from({ length: 60 }, () => connected(port)));
  await accepted(server, 60);
  for (const socket of clients) {
    socket.write(head);
    socket.write(Buffer.alloc(4 * 1024 * 1024, 'a'));
  }
  return clients;
}

test.each([
  ['of declared length', 'Content-Length: 4194304\r\n\r\n'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n400000\r\n'],
])('a request does not wait for the bodies %s that come meanwhile', async (_what, fields) => {
  let pieces = 0;
  let atGet: number | undefined;
  const { port, server } = await served((req, res) => {
    if (req.method === 'GET') {
      atGet = pieces;
      res.end();
      return;
    }
    req.on('data', () => {
      pieces++;
      for (const from = performance.now(); performance.now() - from < 1;);
    });
  });
  const clients = await flooding(port, server, `POST / HTTP/1.1\r\nHost: x\r\n${fields}`);
  await expect.poll(() => pieces, { interval: 5 }).toBeGreaterThan(200);
  const probe = await connected(port);
  await accepted(server, 61);
  const before = pieces;
  probe.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await answerOn(probe);
  expect((atGet ?? Infinity) - before).toBeLessThan(40); // one piece of each would be 60
  for (const socket of [probe, ...clients]) socket.destroy();
});

test('bodies are read by a quarter of a mebibyte in a turn of the event loop, however many come', async () => {
  let [inTurn, most, all] = [0, 0, 0];
  const { port, server } = await served((req) => {
    req.on('data', (piece: Buffer) => {
      if (inTurn === 0)
        setImmediate(() => {
          most = Math.max(most, inTurn);
          inTurn = 0;
        });
      inTurn += piece.length;
      all += piece.length;
    });
  });
  const clients = await flooding(
    port,
    server,
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4194304\r\n\r\n',
  );
  await expect.poll(() => all).toBe(60 * 4 * 1024 * 1024);
  // what the turn's poll hands on, and what its round does
  expect(most).toBeLessThanOrEqual(2 * (256 + 64) * 1024);
  for (const socket of clients) socket.destroy();
});

test.each([
  ['in small pieces', (text: string) => CHUNKED + inBytes(text)],
  [
    'of many lines',
    (text: string) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  ],
])('a body %s, more requests behind it and the end of the connection all arrive', async (_what, sent) => {
  const { port } = await served(bodyBack);
  const text = Array.from({ length: 2000 }, (_, i) => `${i % 10}\n`).join('');
  const socket = await connected(port);
  const answers: Buffer[] = [];
  socket.on('data', (piece: Buffer) => answers.push(piece));
  socket.end(sent(text) + sent(text) + sent('last'));
  await once(socket, 'close');
  const all = Buffer.concat(answers).toString();
  expect(all.split('HTTP/1.1 200').length - 1).toBe(3);
  expect(all.split(text).length - 1).toBe(2);
  expect(all.trimEnd().endsWith('last')).toBe(true);
});

test('an upgraded connection brings what it brings in small parts, in order', async () => {
  const { port, server, intake } = await served(() => undefined);
  const pieces: Buffer[] = [];
  server.on('upgrade', (_req, socket, head: Buffer) => {
    const first = intake.upgraded(socket, head);
    if (first.length > 0) socket.unshift(first);
    socket.on('data', (piece: Buffer) => pieces.push(piece));
  });
  const text = Array.from({ length: 20_000 }, (_, i) => `${i % 10}\n`).join('');
  const socket = await connected(port);
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: test\r\n\r\n${text}`);
  await expect.poll(() => Buffer.concat(pieces).length).toBe(text.length);
  expect(Buffer.concat(pieces).toString()).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1024);
  socket.destroy();
});

test('bytes that wait to be parsed are counted until they are parsed or the connection ends; above the limit the connection is closed', async () => {
  const requests: IncomingMessage[] = [];
  const limits = { ...DEFAULT_LIMITS, bodyBytesPerAddress: 1_000_000 };
  const { port, server, intake } = await served((req) => requests.push(req), {
    limits,
    isTrusted: () => false,
  });
  const sent = CHUNKED + inBytes('a'.repeat(20_000));
  const clients = await Promise.all(Array.from({ length: 40 }, () => connected(port)));
  await accepted(server, 40);
  for (const socket of clients) socket.write(sent); // of which one read is at most 64 KiB
  await expect.poll(() => clients.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(10);
  const left = clients.filter(({ destroyed }) => !destroyed);
  expect(left.length).toBeGreaterThan(5);
  expect(intake.bytes.held).toBeGreaterThan(400_000);
  expect(intake.bytes.held).toBeLessThanOrEqual(1_000_000);
  for (const req of requests) req.resume();
  await expect.poll(() => intake.bytes.held).toBe(0);
  for (const socket of left) socket.destroy();
});
