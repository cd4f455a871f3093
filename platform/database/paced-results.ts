// Takes what the database sends in turns with other work: libuv reads up to two megabytes of a connection in one go, and
// parsing their rows would hold the event loop.
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** Milliseconds that the connections of a process may spend on results in one turn of the event loop, together. */
const SLICE_MS = 4;
/** A read of fewer bytes ends a result, or is a small one: it is not paced. */
const LARGE_READ = 32 * 1024;

/** `pg`'s client has this member, which its types do not tell of. */
interface Connected {
  readonly connection: { readonly stream: Socket };
}

let spent = 0;
let began = 0;

function endTurn(): void {
  spent = 0;
}

/** To be called once a connection has been made: its own listeners come between the two of this function. */
export function paceResults(client: ClientBase): void {
  const { stream } = (client as unknown as Connected).connection;
  stream.prependListener('data', (read: Buffer) => {
    if (read.length >= LARGE_READ) began = performance.now();
  });
  stream.on('data', (read: Buffer) => {
    if (read.length < LARGE_READ) return;
    if (spent === 0) setImmediate(endTurn);
    spent += performance.now() - began;
    if (spent < SLICE_MS) return;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}
