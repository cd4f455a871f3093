// Asks a server for a sign of life all the time, from a process of its own: reading the answers of a test holds it up as
// little as the test's other work. Says, when asked, how long the slowest answer took since it was asked before, and for
// how long of one the server itself was the cause.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as later } from 'node:timers/promises';

const [url = '', pid = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const ask = () =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (res) => {
      res.resume().once('end', resolve);
    }).once('error', reject);
  });

/** For how many milliseconds a thread has run, and waited for a processor (Linux, scheduler statistics). */
function scheduled(file) {
  try {
    const [ran, waited] = readFileSync(file, 'utf8').split(' ');
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
  } catch {
    return { ran: 0, waited: 0 }; // it has ended
  }
}

const TASKS = `/proc/${pid}/task/`;
function now() {
  const others = readdirSync(TASKS).filter((task) => task !== pid);
  return {
    at: performance.now(),
    server: scheduled(`${TASKS}${pid}/schedstat`).waited,
    itsThreads: others.reduce((sum, task) => sum + scheduled(`${TASKS}${task}/schedstat`).ran, 0),
    probe: scheduled('/proc/self/schedstat').waited,
  };
}

/**
 * What the server is the cause of: not that its main thread, or the probe, waited for a processor that another process had.
 * While threads of the server itself ran, it waited for those.
 */
const owned = (from, to) =>
  to.at -
  from.at -
  Math.max(0, to.server - from.server - Math.max(0, to.itsThreads - from.itsThreads)) -
  (to.probe - from.probe);

let isAsked = false;
process.on('message', () => {
  isAsked = true;
});

await ask(); // loads the client
process.send?.('ready');
for (let longest = { ms: 0, own: 0 }; ; await later(5)) {
  const from = now();
  await ask();
  const to = now();
  longest = { ms: Math.max(longest.ms, to.at - from.at), own: Math.max(longest.own, owned(from, to)) };
  if (!isAsked) continue;
  isAsked = false;
  process.send?.(longest);
  longest = { ms: 0, own: 0 };
}
