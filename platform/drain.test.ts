import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { drainable } from './drain.ts';

async function serve(answer: RequestListener) {
  const server = http.createServer(answer);
  const { retire, end: drain } = drainable(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  const connect = async (): Promise<net.Socket> => {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  return { server, retire, drain, connect, port };
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test(
  'a connection that never sent anything does not keep a server from ending',
  { timeout: 120_000 },
  async () => {
    const { server, drain, connect } = await serve((_req, res) => {
      res.end('ok');
    });
    const arrived = once(server, 'connection');
    const silent = await connect();
    await arrived;
    const gone = once(silent, 'close');
    await drain(); // would take ten seconds if it waited for the connection
    await gone;
  },
);

test(
  'a connection that is idle after its request does not keep a server from ending',
  { timeout: 120_000 },
  async () => {
    const { drain, connect } = await serve((_req, res) => {
      res.end('ok');
    });
    const idle = await connect();
    idle.write(GET);
    await once(idle, 'data');
    await drain();
  },
);

test('a request in flight is answered before the server ends', async () => {
  let answer = (): void => undefined;
  const { server, drain, connect } = await serve((_req, res) => {
    answer = () => {
      res.end('late');
    };
  });
  const busy = await connect();
  const asked = once(server, 'request');
  busy.write(GET);
  await asked;
  let ended = false;
  const drained = drain().then(() => {
    ended = true;
  });
  const text = once(busy, 'data').then(([data]: Buffer[]) => String(data));
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  expect(ended).toBe(false);
  answer();
  expect(await text).toContain('late');
  await drained;
});

test('a retired server still accepts, and each answer ends its connection', async () => {
  const { retire, drain, connect } = await serve((_req, res) => {
    res.end('ok');
  });
  const kept = await connect();
  kept.write(GET);
  expect(String((await once(kept, 'data'))[0])).toContain('Connection: keep-alive');
  retire();
  retire(); // a second time changes nothing
  const gone = once(kept, 'close');
  kept.write(GET);
  expect(String((await once(kept, 'data'))[0])).toContain('Connection: close');
  await gone;
  const later = await connect();
  later.write(GET);
  expect(String((await once(later, 'data'))[0])).toContain('ok');
  await drain();
});

test('connections that the system has accepted before a stop, and the server not yet, are answered', async () => {
  const { drain, port } = await serve((_req, res) => {
    res.end('ok');
  });
  const late = Array.from({ length: 20 }, () => net.connect(port, '127.0.0.1'));
  for (const one of late) one.write(GET);
  // then the system has connected them; no event is read before the stop begins
  await new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });
  const answered = late.map((one) => once(one, 'data'));
  const drained = drain();
  for (const one of answered) expect(String((await one)[0])).toContain('ok');
  await drained;
});
