// Listens to PostgreSQL's notifications on one connection of its own, and comes back by itself when that is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

export type OnMessage = (payload: string) => void;

interface Subscription {
  readonly channel: string;
  readonly onMessage: OnMessage;
  readonly onReconnect: () => void;
}

export interface Listener {
  /** Resolves when the server is listening. `onReconnect` is called after every gap, in which messages may have been missed. */
  readonly listen: (
    channel: string,
    onMessage: OnMessage,
    onReconnect?: () => void,
  ) => Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const FIRST_DELAY = 100;
const LONGEST_DELAY = 5000;

/** Opens no connection before the first `listen`. Several subscriptions share the connection. */
export function createListener(url: string, applicationName: string, log: Logger): Listener {
  const subscriptions = new Set<Subscription>();
  let closed = false;
  let current: Promise<pg.Client> | undefined;
  /** The connection while there is one. */
  let live: pg.Client | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One statement at a time: pg takes the next one of the same connection only when the one before is done. */
  const inTurn = (work: () => Promise<unknown>): Promise<unknown> => {
    const run = last.then(work);
    last = run.catch(() => undefined); // whoever asked hears of it
    return run;
  };
  const isWanted = (channel: string): boolean => [...subscriptions].some((s) => s.channel === channel);

  /** A callback's fault is its own: it neither stops the other callbacks nor the process. */
  const call = (callback: () => void, channel: string): void => {
    try {
      callback();
    } catch (error) {
      log.error({ err: error, channel }, 'a notification could not be handled');
    }
  };

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: `${applicationName} listener`,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    client.on('error', (error) => {
      log.warn({ err: error }, 'the notification connection failed');
    });
    client.on('notification', ({ channel, payload = '' }) => {
      for (const s of subscriptions)
        if (s.channel === channel)
          call(() => {
            s.onMessage(payload);
          }, channel);
    });
    await client.connect();
    for (const channel of new Set([...subscriptions].map((s) => s.channel)))
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    live = client;
    client.once('end', () => {
      live = undefined;
      if (!closed) void reconnect();
    });
    return client;
  };

  const openPatiently = async (): Promise<pg.Client> => {
    for (let delay = FIRST_DELAY; ; delay = Math.min(delay * 2, LONGEST_DELAY)) {
      try {
        return await open();
      } catch (error) {
        if (closed) throw error;
        log.warn({ err: error, retryInMs: delay }, 'cannot listen for notifications yet');
        await sleep(delay, undefined, { ref: false });
      }
    }
  };

  const reconnect = async (): Promise<void> => {
    current = openPatiently();
    try {
      await current;
      for (const s of subscriptions) call(s.onReconnect, s.channel);
    } catch (error) {
      if (!closed) log.error({ err: error }, 'the notification connection is gone');
    }
  };

  return {
    async listen(channel, onMessage, onReconnect = () => undefined) {
      if (closed) throw new Error('the listener is closed');
      const subscription: Subscription = { channel, onMessage, onReconnect };
      subscriptions.add(subscription);
      current ??= openPatiently();
      const client = await current;
      await inTurn(() => client.query(`LISTEN ${client.escapeIdentifier(channel)}`)); // again is harmless; on a connection that breaks now, the next one does it
      return async () => {
        subscriptions.delete(subscription);
        if (closed || isWanted(channel)) return;
        const open = live; // while there is none, nobody listens; the next one listens to what is wanted
        await inTurn(async () => {
          if (open && open === live && !isWanted(channel))
            await open.query(`UNLISTEN ${open.escapeIdentifier(channel)}`);
        });
      };
    },
    async close() {
      if (closed) return;
      closed = true;
      subscriptions.clear();
      await current?.then(
        (client) => client.end(),
        () => undefined,
      );
    },
  };
}
