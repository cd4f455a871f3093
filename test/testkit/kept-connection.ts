// A client with one persistent connection, which it opens again only when that has ended: it tries no request
// a second time.
import http from 'node:http';
import https from 'node:https';

export interface KeptConnection {
  /** Sends a GET, or with a body a POST. @throws Error if the connection ends before the answer is whole */
  readonly ask: (
    target: string,
    key: string,
    body?: unknown,
  ) => Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>;
  readonly end: () => void;
}

export function keptConnection(url: string): KeptConnection {
  const isTls = url.startsWith('https:');
  const { Agent, request: open } = isTls ? https : http;
  // what a certificate names is no concern of these tests
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 1,
    ...(isTls ? { rejectUnauthorized: false } : {}),
  });
  return {
    ask: (target, key, body) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const request = open(
          url + target,
          {
            agent,
            method: text === undefined ? 'GET' : 'POST',
            headers: {
              'x-api-key': key,
              ...(text === undefined
                ? {}
                : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
            },
          },
          (response) => {
            let received = '';
            response.on('data', (chunk: Buffer) => {
              received += chunk.toString();
            });
            response.on('end', () => {
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received });
            });
            response.on('error', reject);
          },
        );
        request.on('error', reject);
        request.end(text);
      }),
    end: () => {
      agent.destroy();
    },
  };
}
