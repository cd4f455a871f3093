// An address of a database that stays while what is behind it moves, or is silent.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MovingAddress extends Disposable {
  readonly url: string;
  /** Connections lead there from now on; those that are open end. */
  move(to: string): void;
  /**
   * For so many milliseconds nothing comes through, and what was open then never has anything come through again:
   * neither side is told.
   */
  swallow(ms: number): Promise<void>;
}

/** @param first URL of the server that the address is of at first */
export async function movingAddress(first: string): Promise<MovingAddress> {
  let target = new URL(first);
  let isSilent = false;
  const open = new Set<net.Socket>();
  const swallowing = (socket: net.Socket): void => {
    socket.unpipe().resume();
  };
  const relay = net.createServer((near) => {
    const far = net.connect(Number(target.port), target.hostname);
    for (const [one, another] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => another.destroy()).on('close', () => open.delete(one) && another.destroy());
      if (isSilent) swallowing(one);
      else one.pipe(another);
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(first);
  url.port = String((relay.address() as net.AddressInfo).port); // of a TCP server
  const endAll = (): void => {
    for (const one of open) one.destroy();
  };
  return {
    url: url.href,
    move(to) {
      target = new URL(to);
      endAll();
    },
    async swallow(ms) {
      isSilent = true;
      for (const one of open) swallowing(one);
      await sleep(ms);
      isSilent = false;
    },
    [Symbol.dispose]() {
      endAll();
      relay.close();
    },
  };
}
