// Small operations that come at one time take turns: each is prepared in milliseconds, and together they would hold the
// event loop.
import net from 'node:net';
import { expect, test } from 'vitest';
import { loopShare } from '../testkit/loop-share.ts';
import { startServer } from '../testkit/server.ts';

const fields = Array.from(
  { length: 8 },
  (_, i) => `a${i}: relationships { target { id entityType data } }`,
).join(' ');

test.each([
  [
    'queries that are not known',
    (i: number) => `query Q${i} { entity(id: "none") { id ${fields} } }`,
    'application/json',
    200,
  ],
  [
    'subscriptions that are refused',
    (i: number) =>
      `subscription S${i} { provenanceEvents(after: "start", types: ["none"]) { token event { id entity { id ${fields} } } } }`,
    'text/event-stream',
    400,
  ],
  [
    'subscriptions to the same',
    () =>
      'subscription S { provenanceEvents(after: "nonsense") { token event { id eventType entityId entityType actor timestamp payload context } } }',
    'text/event-stream',
    400,
  ],
] as const)('others run between %s', async (_, source, accept, expected) => {
  await using server = await startServer();
  const { port } = new URL(server.url);
  /** All in one read of one connection. */
  const askAll = (queries: readonly string[]): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(Number(port), '127.0.0.1');
      let answers = '';
      socket.on('error', reject);
      socket.on('data', (bytes: Buffer) => {
        answers += bytes.toString('latin1');
        const statuses = answers.match(/HTTP\/1\.1 \d+/g) ?? [];
        if (statuses.length < queries.length) return;
        socket.destroy();
        resolve(statuses);
      });
      socket.write(
        queries
          .map((query) => {
            const body = JSON.stringify({ query });
            return `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Api-Key: ${server.key}\r\nContent-Type: application/json\r\nAccept: ${accept}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
          })
          .join(''),
      );
    });
  const shares: number[] = [];
  for (let round = 0; round < 3; round++)
    shares.push(
      await loopShare(async () => {
        const asked = await askAll(Array.from({ length: 60 }, (_, i) => source(round * 1000 + i)));
        expect(new Set(asked)).toEqual(new Set([`HTTP/1.1 ${expected}`]));
      }),
    );
  expect(Math.min(...shares)).toBeLessThan(0.3);
});
