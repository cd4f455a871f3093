// TLS with requests in flight (docs/reference/gateway.md#tls): new certificates end nothing and refuse nothing, and neither
// does a stop, which tells everybody to go elsewhere (docs/reference/gateway.md#stop).
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { makeCertificate, useCertificate } from '../testkit/certificates.ts';
import { freshDatabase } from '../testkit/database.ts';
import { keptConnection } from '../testkit/kept-connection.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';
import { startProcess } from '../testkit/server-process.ts';

const folder = scratchDirectory('tls-under-load');
const TARGET = '/api/v1/metadata/entities?limit=1';

async function follow(url: string, key: string): Promise<{ readonly code: Promise<unknown> }> {
  const socket = new WebSocket(`${url.replace('https', 'wss')}/graphql`, 'graphql-transport-ws', {
    rejectUnauthorized: false,
    headers: { 'x-api-key': key },
  });
  const code = once(socket, 'close').then(([closed]: unknown[]) => closed);
  await once(socket, 'open');
  socket.send('{"type": "connection_init"}');
  expect(String((await once(socket, 'message'))[0])).toContain('connection_ack');
  const query = 'subscription { provenanceEvents { event { id } } }';
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
  return { code };
}

test('new certificates and a stop of two workers, under load: nothing fails, and everybody is told', async () => {
  await using database = await freshDatabase();
  for (const name of ['first', 'second']) makeCertificate(folder, name);
  useCertificate(folder, 'first');
  const file = path.join(folder, 'gateway.yaml');
  writeFileSync(
    file,
    'server: {workers: 2, lame_duck_seconds: 2, tls: {certificate: in-use.pem, key: in-use.key}}\n',
  );
  const env = { CAIRN_CONFIG: file, DATABASE_URL: database.url };
  const { url, key, ...server } = await startProcess({ dataDir: folder, env });
  const seen: string[] = [];
  const clients = Array.from({ length: 6 }, () => keptConnection(url));
  const idle = Array.from({ length: 4 }, () => keptConnection(url));
  let isOver = false;
  const ask = async (one: (typeof clients)[number]): Promise<void> => {
    const { status, headers } = await one.ask(TARGET, key);
    seen.push(`${status} ${headers.connection}`);
  };
  const takeSeen = (): readonly string[] => [...new Set(seen.splice(0))].sort();
  try {
    const followers = await Promise.all(Array.from({ length: 4 }, () => follow(url, key)));
    await Promise.all(idle.map(ask));
    const load = clients.map(async (one) => {
      while (!isOver) await ask(one);
    });
    for (const [i, name] of ['second', 'first', 'second'].entries()) {
      useCertificate(folder, name);
      process.kill(server.pid, 'SIGHUP');
      await expect.poll(() => server.log().match(/was reloaded/g)?.length).toBe(i + 1);
    }
    expect(takeSeen()).toEqual(['200 keep-alive']);
    const ended = server.end('SIGTERM');
    await sleep(1500);
    isOver = true;
    await Promise.all(load);
    const told = takeSeen();
    expect(told).toContain('200 close');
    expect(told.filter((one) => !one.startsWith('200 '))).toEqual([]);
    await sleep(1000); // the lame duck is over: these did not hear of it
    await Promise.all(idle.map(ask));
    expect(takeSeen()).toEqual(['200 close']);
    expect(await Promise.all(followers.map(({ code }) => code))).toEqual([1001, 1001, 1001, 1001]);
    expect(await ended).toBe(0);
  } finally {
    isOver = true;
    for (const one of [...clients, ...idle]) one.end();
    await server.end('SIGKILL');
  }
});
