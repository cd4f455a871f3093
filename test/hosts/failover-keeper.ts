// Decides which of two PostgreSQL servers is the primary, from a third host, as Patroni's store of leases does. The
// standby is promoted when the primary has ended, or has not been heard of for as long as its agent lets it go on
// (postgres-agent.ts); and only where every commit that was acknowledged had waited for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_PORT, LEASE_MS, type Told } from './failover.ts';

const EVERY_MS = 200;
const ANSWER_MS = 400;
/** Promoting takes longer than to say something. */
const PROMOTE_MS = 5000;

/** The addresses of both hosts, that of the primary first. */
let [primary = '', standby = ''] = process.argv.slice(2);
/** Whether commits are to wait for the standby. */
let isSynchronous = false;
/** Whether they have waited for it ever since it had all that was there before. */
let mayPromote = false;
/** When the primary was last told that it may go on. */
let toldAt = 0;

const say = (event: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${event}\n`);
};

/** Undefined where there is no answer in time. */
async function ask(address: string, what: string, timeoutMs = ANSWER_MS): Promise<Told | undefined> {
  try {
    const answer = await fetch(`http://${address}:${AGENT_PORT}${what}`, {
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answer.ok ? ((await answer.json()) as Told) : undefined; // of our own agent
  } catch {
    return undefined; // the host is away, or its agent
  }
}

async function promote(why: string): Promise<void> {
  say(`${primary} ${why}: ${standby} is promoted`);
  mayPromote = isSynchronous = false;
  while ((await ask(standby, '/promote', PROMOTE_MS))?.role !== 'primary') {
    say(`${standby} is not promoted yet`);
    await sleep(EVERY_MS);
  }
  [primary, standby] = [standby, primary];
  toldAt = performance.now();
}

/** The order is what makes it safe: nobody is promoted from before commits are let go without the standby. */
function decideSynchrony({ isStreaming, isSynchronous: isNow }: Told): void {
  if (isSynchronous && !isStreaming) {
    mayPromote = isSynchronous = false;
    say('commits do not wait for a standby');
  } else if (!isSynchronous && isStreaming) isSynchronous = true;
  else if (isSynchronous && isNow && !mayPromote) {
    mayPromote = true;
    say('commits wait for the standby');
  }
}

async function look(): Promise<void> {
  const told = await ask(primary, '/role');
  if (told?.role === 'primary') {
    decideSynchrony(told);
    toldAt = performance.now() + ANSWER_MS;
    await ask(primary, `/hold?synchronous=${isSynchronous}`);
    return;
  }
  if (!mayPromote) return;
  if (told !== undefined) {
    await ask(primary, '/fence');
    await promote('has ended');
  } else if (performance.now() > toldAt + LEASE_MS) await promote('is not heard of');
}

for (;;) {
  await look();
  await sleep(EVERY_MS);
}
