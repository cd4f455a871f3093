import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { mostPerTurn } from '../testkit/per-turn.ts';
import { readBody } from '../../platform/read-body.ts';

test('the pieces of a large body are put together in turns with others', async () => {
  const sent = Buffer.alloc(9_000_000, 'a body, ');
  let received: Buffer | undefined;
  const server = http.createServer((req, res) => {
    void readBody({ req, res, bodyLimit: sent.length }).then((body) => {
      received = body;
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens to TCP
  const concat = vi.spyOn(Buffer, 'concat');
  const copy = vi.spyOn(Buffer.prototype, 'copy');
  const most = await mostPerTurn(
    () => copy.mock.calls.length,
    () =>
      new Promise((resolve, reject) => {
        const request = http.request({
          port,
          host: '127.0.0.1',
          method: 'POST',
          headers: { 'content-length': sent.length },
        });
        request.on('response', (answer) => answer.resume().on('end', resolve)).on('error', reject);
        request.end(sent);
      }),
  );
  const copies = copy.mock.calls.length;
  const whole = concat.mock.calls.length;
  vi.restoreAllMocks();
  server.close();
  expect(received?.equals(sent)).toBe(true);
  expect(whole).toBe(0);
  expect(copies).toBeGreaterThan(50);
  expect(most).toBeLessThan(10);
});
