// Listens to PostgreSQL notifications on a dedicated connection, and reconnects when the connection is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { isReadOnly } from '../store-away.ts';
import type { SilentConnections } from './silent-connections.ts';

export type OnMessage = (payload: string) => void;

interface Subscription {
  readonly channel: string;
  readonly onMessage: OnMessage;
  readonly onReconnect: () => void;
}

export interface Listener {
  /**
   * Resolves to a function that stops listening, once the server is listening. `onReconnect` is called after
   * each gap, in which notifications may have been missed.
   */
  readonly listen: (
    channel: string,
    onMessage: OnMessage,
    onReconnect?: () => void,
  ) => Promise<() => Promise<void>>;
  /**
   * Tells other processes how far this one has come on a scale: a shared advisory lock of (scale, place), held by the
   * session that listens, as long as there is one. Resolves once it is held, and that of the place before is not.
   */
  readonly tellPlace: (scale: number, place: number) => Promise<void>;
  close(): Promise<void>;
}

/** At a standby, this often its listeners look themselves. */
const LOOK_MS = 1000;

const FIRST_DELAY = 100;
const MAX_DELAY_MS = 5000;

interface Listening {
  readonly silent: SilentConnections;
  readonly log: Logger;
  readonly subscriptions: ReadonlySet<Subscription>;
}

/** A connection that cannot do what the listener needs ends, with whatever it holds, and another is made. */
async function orEnd<Result>(client: pg.Client, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    void client.end();
    throw error;
  }
}

/** Opens a connection that listens to what is subscribed to. Its errors are logged. */
async function connect(
  url: string,
  applicationName: string,
  { silent, log, subscriptions }: Listening,
): Promise<pg.Client> {
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
        call(log, channel, () => {
          s.onMessage(payload);
        });
  });
  await client.connect();
  silent.watch(client);
  // the server, too, ends a session whose client has gone without a word: others wait for the places that it holds
  const identified = client.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid FROM set_config('tcp_keepalives_idle', '10', false) idle, set_config('tcp_keepalives_interval', '5', false) again, set_config('tcp_keepalives_count', '3', false) times`,
  );
  const { rows } = await orEnd(client, identified);
  for (const { pid } of rows) silent.identify(client, pid);
  return client;
}

/** Resolves to whether the session listens: that of a standby cannot. */
async function listenTo(client: pg.Client, channels: Iterable<string>): Promise<boolean> {
  try {
    for (const channel of channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return true;
  } catch (error) {
    if (isReadOnly(error)) return false;
    throw error;
  }
}

/** A connection that is lost, and does not know it yet, listens to nothing; what comes on another is nobody's. */
const leave = (client: pg.Client, channel: string, log: Logger): Promise<unknown> =>
  client.query(`UNLISTEN ${client.escapeIdentifier(channel)}`).catch((error: unknown) => {
    log.debug({ err: error, channel }, 'a channel could not be left');
  });

/** Calls a callback. Its errors affect neither other callbacks nor the process. */
function call(log: Logger, channel: string, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    log.error({ err: error, channel }, 'a notification could not be handled');
  }
}

/** Holds one place of a scale instead of another. */
const takePlace = (
  client: pg.Client,
  scale: number,
  from: number | undefined,
  to: number,
): Promise<unknown> =>
  orEnd(
    client,
    client.query(
      `SELECT pg_advisory_lock_shared($1, $2)${from === undefined ? '' : ', pg_advisory_unlock_shared($1, $3)'}`,
      [scale, to, ...(from === undefined ? [] : [from])],
    ),
  );

const listenToAll = (client: pg.Client, subscriptions: ReadonlySet<Subscription>): Promise<boolean> =>
  listenTo(client, new Set([...subscriptions].map((s) => s.channel)));

/**
 * Runs one statement at a time: pg starts the next statement of a connection only when the previous one is
 * done.
 */
function oneAtATime(): (work: () => Promise<unknown>) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined); // the caller gets the error
    return run;
  };
}

function whileOpen(client: pg.Client, everyMs: number, work: () => Promise<unknown>): void {
  const timer = setInterval(() => {
    void work().catch(() => undefined);
  }, everyMs).unref();
  client.once('end', () => {
    clearInterval(timer);
  });
}

async function untilOpen(
  open: () => Promise<pg.Client>,
  isClosed: () => boolean,
  log: Logger,
): Promise<pg.Client> {
  for (let delay = FIRST_DELAY; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    try {
      return await open();
    } catch (error) {
      if (isClosed()) throw error;
      log.warn({ err: error, retryInMs: delay }, 'cannot listen for notifications yet');
      await sleep(delay, undefined, { ref: false });
    }
  }
}

/** Opens a connection at the first `listen`. All subscriptions share it. */
export function createListener(
  url: string,
  applicationName: string,
  silent: SilentConnections,
  log: Logger,
): Listener {
  const subscriptions = new Set<Subscription>();
  let closed = false;
  let current: Promise<pg.Client> | undefined;
  /** The open connection, if any. */
  let live: pg.Client | undefined;
  const inTurn = oneAtATime();
  /** The place on each scale that the open connection is to hold. */
  const places = new Map<number, number>();
  const isWanted = (channel: string): boolean => [...subscriptions].some((s) => s.channel === channel);
  /** The server is a standby, at which there may be something new at any time. */
  let isDeaf = false;
  const look = async (client: pg.Client): Promise<void> => {
    isDeaf = !(await listenToAll(client, subscriptions)); // it may have been promoted
    for (const s of subscriptions) call(log, s.channel, s.onReconnect);
  };

  const open = async (): Promise<pg.Client> => {
    const client = await connect(url, applicationName, { silent, log, subscriptions });
    isDeaf = !(await orEnd(client, listenToAll(client, subscriptions)));
    await inTurn(async () => {
      for (const [scale, place] of places) await takePlace(client, scale, undefined, place);
      live = client;
    });
    // where one of these fails, the connection ends, and another is made
    whileOpen(client, LOOK_MS, () => (isDeaf ? inTurn(() => look(client)) : Promise.resolve()));
    whileOpen(client, silent.times.signOfLifeMs, () => inTurn(() => client.query('SELECT')));
    client.once('end', () => {
      live = undefined;
      if (!closed) void reconnect();
    });
    return client;
  };

  const openPatiently = (): Promise<pg.Client> => untilOpen(open, () => closed, log);

  const reconnect = async (): Promise<void> => {
    current = openPatiently();
    try {
      await current;
      for (const s of subscriptions) call(log, s.channel, s.onReconnect);
    } catch (error) {
      if (!closed) log.error({ err: error }, 'the notification connection was lost');
    }
  };

  return {
    async listen(channel, onMessage, onReconnect = () => undefined) {
      if (closed) throw new Error('the listener is closed');
      const subscription: Subscription = { channel, onMessage, onReconnect };
      subscriptions.add(subscription);
      current ??= openPatiently();
      const client = await current;
      // Repeating LISTEN is harmless. If this connection breaks now, the next one listens to the channel.
      await inTurn(async () => {
        if (!(await listenTo(client, [channel]))) isDeaf = true;
      });
      return async () => {
        subscriptions.delete(subscription);
        if (closed || isWanted(channel)) return;
        // Without a connection there is nothing to do: the next one only listens to wanted channels.
        const open = live;
        await inTurn(async () => {
          if (open && open === live && !isWanted(channel)) await leave(open, channel, log);
        });
      };
    },
    tellPlace: (scale, place) =>
      inTurn(async () => {
        const before = places.get(scale);
        places.set(scale, place);
        if (live && before !== place) await takePlace(live, scale, before, place);
      }).then(() => undefined),
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
