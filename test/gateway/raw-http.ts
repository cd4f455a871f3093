// Sends raw bytes as HTTP requests, which no HTTP client would send.
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Milliseconds without an answer, on a machine that others use, and those after which no more of one comes. */
const [SILENT, ENDED] = [10_000, 400];

/** Sends raw text and reads until the server closes or stops sending. */
export function sendRaw(port: number, text: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, 'latin1');
    });
    let received = '';
    const finish = (): void => {
      socket.destroy();
      const [head = '', ...body] = received.split('\r\n\r\n');
      const [statusLine = '', ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      );
      resolve({ status: Number(statusLine.split(' ')[1] ?? 0), headers, body: body.join('\r\n\r\n') });
    };
    socket.setTimeout(SILENT, finish);
    socket.on('data', (chunk: Buffer) => {
      socket.setTimeout(ENDED);
      received += chunk.toString('latin1');
    });
    socket.on('end', finish);
    socket.on('error', reject);
  });
}

/** A request line and headers, unchanged. */
export const rawRequest = (
  port: number,
  requestLine: string,
  headers: readonly string[] = [],
): Promise<RawAnswer> =>
  sendRaw(
    port,
    `${requestLine}\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
  );
