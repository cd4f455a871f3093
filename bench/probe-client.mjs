// Asks addresses in turn, every 20 ms each, until standard input ends; then prints what the slowest answers took, in
// milliseconds. A process of its own: whoever makes the load measures itself otherwise.
import http from 'node:http';
import { performance } from 'node:perf_hooks';

const EVERY_MS = 20;
const agent = new http.Agent({ keepAlive: true });
const times = process.argv.slice(2).map((url) => ({ url, taken: [], failed: 0 }));

const ask = (one) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const request = http.get(one.url, { agent }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode !== 200) one.failed++;
        one.taken.push(performance.now() - startedAt);
        resolve();
      });
    });
    request.on('error', () => {
      one.failed++;
      resolve();
    });
  });

let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();
await Promise.all(
  times.map(async (one) => {
    while (!isOver) {
      await ask(one);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  }),
);
process.stdout.write(
  JSON.stringify(
    times.map(({ url, taken, failed }) => {
      const sorted = taken.toSorted((a, b) => a - b);
      return {
        url,
        failed,
        asked: sorted.length,
        p99: sorted[Math.floor(sorted.length * 0.99)],
        worst: sorted.at(-1),
      };
    }),
  ),
);
process.exit(0);
