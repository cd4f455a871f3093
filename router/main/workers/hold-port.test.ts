import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { holdPort } from './hold-port.ts';

const listen = async (port: number): Promise<net.Server> => {
  const server = net.createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

test('until workers listen at it, nobody else gets their port; a connection meanwhile ends, and does not delay them', async () => {
  const { port, release } = await holdPort('127.0.0.1');
  await expect(listen(port)).rejects.toThrow('EADDRINUSE');
  const connected = net.connect(port, '127.0.0.1').resume();
  await once(connected, 'close');
  await release();
  await release(); // at the end of a start that fails, too
  (await listen(port)).close();
});
