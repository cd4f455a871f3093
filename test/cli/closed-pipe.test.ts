// Commands whose output is piped to what stops reading: `cairn … | head`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';

test('a command that follows ends quietly once nobody reads any more, as it does when it is told to', async () => {
  const server = createServer((_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    void (async () => {
      for (let n = 0; !res.destroyed; n++) {
        res.write(`event: next\ndata: {"data":{"n":${n}}}\n\n`);
        await sleep(20);
      }
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens at a port
  const child = spawn(
    process.execPath,
    ['cli/cairn.mjs', 'query', 'subscription { n }', '--url', `http://127.0.0.1:${port}`, '--key', 'k'],
    { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const [status] = (await once(child, 'exit')) as [number | null];
  server.closeAllConnections();
  server.close();
  expect([status, said]).toEqual([0, '']);
});
