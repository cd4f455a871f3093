// Ends connections that will never answer. Something between this process and PostgreSQL may take what is sent and
// forget it, without closing the connection; a statement's time limit, which the server keeps, is of no use then.
import type pg from 'pg';
import type { Logger } from 'pino';
import { askAside } from './ask-aside.ts';

export interface SilenceTimes {
  /** How long a connection may owe an answer without a byte before the server is asked about it. */
  readonly silentMs: number;
  /** How long, where the server cannot be asked: less than requests wait for a component (`timeout_ms`). */
  readonly unreachableMs: number;
  /** Between two looks. */
  readonly lookMs: number;
  /** How long the server has to answer the question. */
  readonly askMs: number;
  /** How often a connection that only listens is asked for a sign of life: it would stay silent if it were lost. */
  readonly signOfLifeMs: number;
}

const USUAL: SilenceTimes = {
  silentMs: 10_000,
  unreachableMs: 20_000,
  lookMs: 5000,
  askMs: 4000,
  signOfLifeMs: 15_000,
};

/** What `pg` does not declare of a client: its socket. */
interface Watched extends pg.ClientBase {
  readonly connection: {
    readonly stream: { bytesRead: number; bytesWritten: number; destroy(error: Error): unknown };
    on(event: 'portalSuspended', listener: () => void): unknown;
  };
}

interface State {
  /** Its process on the server; undefined until that is known. */
  pid?: number;
  /** Bytes that had been written when everything had been answered. */
  settled: number;
  /** Bytes read and written when one of them last changed, and when that was noticed. */
  read: number;
  written: number;
  since: number;
}

/** In `pg_stat_activity`: processes of those given that work on a statement, and do not wait for their client. */
export const AT_WORK = `pid = ANY($1::int[]) AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'`;

export interface SilentConnections {
  readonly times: SilenceTimes;
  /** Watches a connection, until it ends. */
  watch(client: pg.ClientBase): void;
  /** Tells the server's process of a connection: a pooler gives connections numbers of its own. */
  identify(client: pg.ClientBase, pid: number): void;
  /** The server's processes of these connections, as far as they are known. */
  pids(): readonly number[];
  readonly close: () => void;
}

/**
 * Looks at its connections every few seconds. One that owes an answer and has been silent is ended, unless the
 * server says that it is at work on the statement. Its statements fail as those of any lost connection: they may
 * have been executed, or not.
 * @param url of the same role, which may see what its own sessions do
 */
export function watchConnections(
  url: string,
  applicationName: string,
  log: Logger,
  times = USUAL,
): SilentConnections {
  const states = new Map<Watched, State>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  const look = async (): Promise<void> => {
    const now = performance.now();
    const silent = [...states].filter(([client, state]) => silence(client, state, now) >= times.silentMs);
    if (silent.length === 0) return;
    const atWork = await askAside(
      { url, applicationName: `${applicationName} watch`, askMs: times.askMs },
      (asking) =>
        findAtWork(
          asking,
          silent.flatMap(([, { pid }]) => pid ?? []),
        ),
    );
    for (const [client, state] of silent) {
      const silentMs = silence(client, state, performance.now());
      if (silentMs < times.silentMs || !states.has(client)) continue; // it has answered meanwhile
      const { pid } = state;
      if (atWork === undefined ? silentMs < times.unreachableMs : pid !== undefined && atWork.has(pid))
        continue;
      log.warn(
        { pid, silentMs: Math.round(silentMs) },
        'a database connection that does not answer is closed',
      );
      client.connection.stream.destroy(new Error('Connection terminated: no answer'));
    }
  };
  const tick = (): void => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    times,
    watch(given) {
      // pg's declarations leave out its connection and queue
      const client = given as Watched;
      const state: State = { settled: 0, read: -1, written: -1, since: 0 };
      const settle = (): void => {
        state.settled = client.connection.stream.bytesWritten;
      };
      settle();
      client.on('drain', settle);
      client.connection.on('portalSuspended', settle);
      states.set(client, state);
      timer ??= setInterval(tick, times.lookMs).unref();
      client.once('end', () => {
        states.delete(client);
        if (states.size === 0) stop();
      });
    },
    identify(client, pid) {
      const state = states.get(client as Watched); // as in `watch`
      if (state !== undefined) state.pid = pid;
    },
    pids: () => [...states.values()].flatMap(({ pid }) => pid ?? []),
    close: stop,
  };
}

/** For how many milliseconds an answer has been owed without a byte; 0 where none is owed. */
function silence({ connection: { stream } }: Watched, state: State, now: number): number {
  const { bytesRead, bytesWritten } = stream;
  if (bytesRead !== state.read || bytesWritten !== state.written)
    Object.assign(state, { read: bytesRead, written: bytesWritten, since: now });
  return bytesWritten === state.settled ? 0 : now - state.since;
}

async function findAtWork(client: pg.Client, pids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE ${AT_WORK}`, [
    pids,
  ]);
  return new Set(rows.map(({ pid }) => pid));
}
