// Connections are read by Node's parser directly, until they bring too much in one turn of the event loop.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config/limits-section.ts';
import { createHttpServer } from '../http-server.ts';
import { Intake } from './intake.ts';

/** Longer than connections are read in parts after a turn that brought too much. */
const A_WHILE = 61_000;
const clock = performance.now.bind(performance);
let later = 0;
function waitAWhile(): void {
  later += A_WHILE;
}

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + later);
  waitAWhile(); // what another test has brought is long ago
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  vi.restoreAllMocks();
});

interface Served {
  readonly port: number;
  /** The server's ends of the connections, in the order of their beginning. */
  readonly sockets: net.Socket[];
}

async function served(listener: (req: IncomingMessage, res: ServerResponse) => void): Promise<Served> {
  const server = createHttpServer(new Intake({ limits: DEFAULT_LIMITS, isTrusted: () => true }), listener);
  servers.push(server);
  const sockets: net.Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, sockets }; // it listens on TCP
}

type Sockets = [net.Socket, ...net.Socket[]];

async function connect({ port, sockets }: Served, count: number): Promise<Sockets> {
  const before = sockets.length;
  const clients = Array.from({ length: count }, () => net.connect(port, '127.0.0.1'));
  for (const socket of clients) socket.on('error', () => undefined); // the server may close it while it sends
  await expect.poll(() => sockets.length).toBe(before + count);
  return clients as Sockets; // at least one
}

const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const PIECES = 5000;
const inBytes = CHUNKED + chunk('a').repeat(PIECES) + chunk('');
/** A chunk that comes in one piece where the connection is read directly, else in a hundred. */
const ofLines = CHUNKED + chunk('a\n'.repeat(6400)) + chunk('');
const LINES_PIECES = 100;

const answered = async (socket: net.Socket, answers = 1): Promise<string> => {
  let text = '';
  while (text.split('HTTP/1.1 ').length <= answers) text += String((await once(socket, 'data'))[0]);
  return text;
};

/** Counts the pieces of each body, which it answers, and of all bodies in each turn of the event loop. */
function countPieces(): {
  readonly most: () => number;
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
} {
  let [inTurn, most] = [0, 0];
  return {
    most: () => most,
    handle: (req, res) => {
      let pieces = 0;
      req.on('data', () => {
        pieces++;
        if (inTurn++ === 0)
          setImmediate(() => {
            inTurn = 0;
          });
        most = Math.max(most, inTurn);
      });
      req.once('end', () => res.end(`pieces: ${pieces}.`));
    },
  };
}

const piecesOf = (answer: string): number => Number(/pieces: (\d+)\./.exec(answer)?.[1]);

test('connections of clients that wait for their answers are read directly, however many there are', async () => {
  const server = await served(countPieces().handle);
  const clients = await connect(server, 100);
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      clients.map((socket) => {
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        return answered(socket);
      }),
    );
  }
  clients[0].write(ofLines);
  expect(piecesOf(await answered(clients[0]))).toBeLessThan(5);
});

test('when hundreds of connections start at once, each turn of the event loop parses one of them', async () => {
  const { handle, most } = countPieces();
  const server = await served(handle);
  for (let again = 0; again < 3; again++) {
    const [innocent, ...attackers] = await connect(server, 150);
    innocent.write(ofLines);
    expect(piecesOf(await answered(innocent))).toBeLessThan(5);
    await Promise.all(
      attackers.map((socket) => {
        socket.write(inBytes);
        return answered(socket);
      }),
    );
    innocent.write(ofLines);
    expect(piecesOf(await answered(innocent))).toBeGreaterThanOrEqual(LINES_PIECES);
    expect(most()).toBeLessThan(4 * PIECES); // one directly, and what fits into the time of a turn
    waitAWhile();
  }
});

test('when hundreds of connections pipeline requests, each turn starts the requests of only a few', async () => {
  let [inTurn, most] = [0, 0];
  const server = await served((_req, res) => {
    if (inTurn++ === 0)
      setImmediate(() => {
        inTurn = 0;
      });
    most = Math.max(most, inTurn);
    for (const from = clock(); clock() - from < 0.05;);
    res.end();
  });
  const clients = await connect(server, 100);
  await Promise.all(
    clients.map((socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(64));
      return answered(socket, 64);
    }),
  );
  expect(most).toBeLessThan(256 + 2 * 64 + 200);
});

test('heads of thousands of fields count for more than one request', async () => {
  const server = await served(countPieces().handle);
  const clients = await connect(server, 31);
  const fields = 'a:\r\n'.repeat(3000);
  await Promise.all(
    clients.map((socket) => {
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${fields}\r\n`);
      return answered(socket);
    }),
  );
  const [next] = await connect(server, 1);
  next.write(ofLines);
  expect(piecesOf(await answered(next))).toBeGreaterThanOrEqual(LINES_PIECES);
});

test('a body that is not being read has few buffered chunks, however slowly they arrive', async () => {
  let request: IncomingMessage | undefined;
  const server = await served((req) => {
    request = req;
  });
  const [socket] = await connect(server, 1);
  socket.write(CHUNKED);
  await expect.poll(() => request).toBeDefined();
  for (let i = 0; i < 200; i++) {
    const { bytesRead } = server.sockets[0] ?? { bytesRead: 0 };
    socket.write(chunk('a').repeat(10));
    for (let turns = 0; turns < 20 && server.sockets[0]?.bytesRead === bytesRead; turns++) await turn();
  }
  await sleep(20); // until more would have come, which has no event
  expect(request?.readableLength).toBeGreaterThan(60);
  expect(request?.readableLength).toBeLessThan(200);
  let got = 0;
  request?.on('data', (piece: Buffer) => {
    got += piece.length;
  });
  await expect.poll(() => got).toBe(2000);
});

test('the rest of a body that has been answered is read in parts, although it is not counted', async () => {
  const server = await served((_req, res) => res.end('no'));
  const [socket] = await connect(server, 1);
  socket.write(CHUNKED);
  await answered(socket);
  const parts: number[] = [];
  server.sockets[0]?.on('data', (part: Buffer) => parts.push(part.length));
  socket.write(chunk('a').repeat(PIECES));
  await expect.poll(() => parts.reduce((sum, length) => sum + length, 0)).toBe(PIECES * 6);
  expect(Math.max(...parts)).toBeLessThanOrEqual(256);
});

test('a paused request continues after its connection has switched to paced reading', async () => {
  const length = 3_000_000;
  const held: IncomingMessage[] = [];
  const { handle } = countPieces();
  const server = await served((req, res) => {
    if (req.url === '/held') held.push(req);
    else handle(req, res);
  });
  const [[slow], [bad]] = [await connect(server, 1), await connect(server, 1)];
  slow.write(`POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  slow.write(Buffer.alloc(length, 'a'));
  await expect.poll(() => held[0]?.readableLength ?? 0).toBeGreaterThan(0);
  bad.write(inBytes);
  await answered(bad);
  let got = 0;
  held[0]?.on('data', (piece: Buffer) => {
    got += piece.length;
  });
  await expect.poll(() => got).toBe(length);
});

test('bytes that follow an upgrade request are delivered in small parts, too', async () => {
  const intake = new Intake({ limits: DEFAULT_LIMITS, isTrusted: () => true });
  const server = createHttpServer(intake, (_req, res) => res.end());
  servers.push(server);
  const parts: Buffer[] = [];
  server.on('upgrade', (_req, socket, head: Buffer) => {
    parts.push(intake.upgraded(socket, head));
    socket.on('data', (part: Buffer) => parts.push(part));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1'); // it listens on TCP
  const text = Array.from({ length: 50_000 }, (_, i) => i % 10).join('');
  client.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: test\r\n\r\n${text}`);
  await expect.poll(() => Buffer.concat(parts).length).toBe(text.length);
  client.end('the end');
  await expect.poll(() => Buffer.concat(parts).toString()).toBe(`${text}the end`);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1024);
  client.destroy();
});
