// What the tests of what a process takes in share.
import { once } from 'node:events';
import net from 'node:net';
import { type Gateway } from './gateway-testkit.ts';

export const PUBLIC = '/api/v1/gateway/test/hook';

interface Client {
  readonly socket: net.Socket;
  /** The first answer's status, once it has arrived. */
  readonly status: Promise<number>;
  readonly answered: () => boolean;
  readonly closed: Promise<unknown>;
}

export async function connected(port: number): Promise<Client> {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  let answered = false;
  const status = new Promise<number>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const found = /^HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n/.exec(text);
      if (!found) return;
      answered = true;
      resolve(Number(found[1]));
    });
  });
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  socket.on('error', () => undefined); // some connections are closed while they send
  await once(socket, 'connect');
  return { socket, status, answered: () => answered, closed };
}

/** Sends a head that declares `length` bytes, and `sent` of them. */
export async function begin(
  { port }: Gateway,
  length: number,
  sent: number,
  headers: readonly string[] = [],
  path = PUBLIC,
): Promise<Client> {
  const client = await connected(port);
  client.socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${length}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${'a'.repeat(sent)}`,
  );
  return client;
}

export const whole = async (
  gateway: Gateway,
  length: number,
  headers: readonly string[] = [],
): Promise<number> => {
  const { status, socket } = await begin(gateway, length, length, headers);
  const known = await status;
  socket.destroy();
  return known;
};
