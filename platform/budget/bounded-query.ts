// Statements that are counted while their rows come, and cancelled where they are no longer wanted:
// PostgreSQL would send gigabytes, and work for nobody.
import net from 'node:net';
import pg, {
  type PoolClient,
  type QueryArrayResult,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import type { Connections } from '../database/transaction.ts';
import type { Queryable } from '../queryable.ts';
import type { Identity } from '../identity.ts';
import type { Budget } from './budget.ts';
import { overLimit } from './over-limit.ts';

/** What of a row's message is looked at. */
interface RowMessage {
  readonly length: number;
}
type AnyResult = QueryResult & QueryArrayResult;

/** `pg`'s own query has this method, which its types do not tell of. */
interface RowHandler {
  handleDataRow(message: RowMessage): void;
}

/** Rows are handed on as long as `take` says so; the others are forgotten as they come. */
class CountedQuery extends pg.Query {
  readonly #take: (bytes: number) => boolean;

  constructor(
    config: QueryConfig,
    take: (bytes: number) => boolean,
    done: (error: Error | null, result: AnyResult) => void,
  ) {
    super(config, undefined, done as never); // one of many overloads
    this.#take = take;
  }

  handleDataRow(message: RowMessage): void {
    if (this.#take(message.length))
      // pg's declarations leave out what its connection calls
      (pg.Query.prototype as unknown as RowHandler).handleDataRow.call(this, message);
  }
}

/**
 * What a connection knows of its server's process, by which a statement is cancelled (PostgreSQL, «Canceling
 * Requests in Progress»).
 */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

const CANCEL_CODE = 80_877_102;
const CANCEL_MS = 5000;

/**
 * Asks the server to give up what it does on this connection. Whether it hears of it is not known; the
 * statement's own time limit stands behind this.
 */
export function cancel(client: PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as Backend;
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_CODE, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
  socket.setTimeout(CANCEL_MS, () => {
    socket.destroy();
  });
  socket.on('error', () => {
    socket.destroy();
  });
  socket.end(request);
  socket.resume();
}

/** Statements on the client, none of which begins after the signal. @throws the signal's reason */
export function until(client: PoolClient, signal: AbortSignal): Queryable {
  const ask = client.query.bind(client) as (...sent: readonly unknown[]) => unknown;
  return {
    query(...sent: Parameters<PoolClient['query']>) {
      signal.throwIfAborted();
      return ask(...sent);
    },
  } as Queryable; // whatever the overload, what the client answers
}

/**
 * A statement whose rows go on as long as `take` says so. A connection whose statement was cancelled is not
 * used again: the request may arrive late.
 */
async function run(
  pool: Connections,
  config: QueryConfig,
  take: (bytes: number) => boolean,
  onEnd?: (stop: () => void) => () => void,
): Promise<AnyResult> {
  const client = await pool.connect();
  let [isSent, isCancelled, isBroken] = [false, false, false];
  const stop = (): void => {
    if (isCancelled) return;
    isCancelled = true;
    if (!isSent) return;
    isBroken = true;
    cancel(client);
  };
  const takeOrStop = (bytes: number): boolean => {
    if (isCancelled) return false;
    if (take(bytes)) return true;
    stop();
    return false;
  };
  let settle: (() => void) | undefined;
  try {
    return await new Promise<AnyResult>((resolve, reject) => {
      const lost = (error: Error): void => {
        isBroken = true;
        reject(error);
      };
      client.once('error', lost);
      const unhear = onEnd?.(stop);
      settle = () => {
        client.off('error', lost);
        unhear?.();
      };
      if (isCancelled) {
        reject(new Error('the operation ended while its statement was waiting for a connection'));
        return;
      }
      isSent = true;
      client.query(
        new CountedQuery(config, takeOrStop, (error, result) => {
          if (error) reject(error);
          else resolve(result);
        }),
      );
    });
  } finally {
    settle?.();
    client.release(isBroken);
  }
}

async function withinBudget(
  pool: Connections,
  config: QueryConfig,
  budget: Budget,
  isKept: boolean,
): Promise<AnyResult> {
  budget.followCaller();
  if (budget.ended !== undefined) throw budget.ended;
  let looked = 0;
  const look = (bytes: number): boolean => {
    looked += bytes;
    if (looked > budget.limits.bytes) budget.end(overLimit('bytes', looked, budget.limits.bytes));
    return budget.ended === undefined;
  };
  try {
    return await run(pool, config, isKept ? (bytes) => budget.read(bytes) : look, (stop) =>
      budget.onEnd(stop),
    );
  } catch (error) {
    throw budget.ended ?? error;
  }
}

const configOf = (text: string | QueryConfig, values: unknown[] | undefined): QueryConfig =>
  typeof text === 'string' ? { text, ...(values && { values }) } : text;

/**
 * Statements for one operation alone: what they bring is counted, and they end when the operation does. The
 * pool itself, where nothing counts for whoever asks.
 * @param isKept false for what is looked at and let go: then each statement by itself may bring what an
 * operation may
 */
export function readingFor(
  pool: Connections,
  { budget }: Pick<Identity, 'budget'>,
  isKept = true,
): Queryable {
  if (budget === undefined) return pool;
  return {
    query: async <Row extends QueryResultRow>(
      text: string | QueryConfig,
      values?: unknown[],
    ): Promise<QueryResult<Row>> => {
      const result = await withinBudget(pool, configOf(text, values), budget, isKept);
      if (budget.ended !== undefined) throw budget.ended;
      return result;
    },
  } as Queryable; // of the pool's many overloads those that stores use
}

/** A shared statement has brought more than it may: ask for less of it at a time. */
export class TooMuchAtOnce extends Error {
  override name = 'TooMuchAtOnce';
}

/**
 * A statement that is shared by several operations: none of them may cancel it, but it brings at most so many
 * bytes.
 * @throws TooMuchAtOnce
 */
export async function readShared<Row extends QueryResultRow>(
  pool: Connections,
  config: QueryConfig,
  mostBytes: number,
): Promise<QueryResult<Row> & { readonly bytes: number }> {
  let bytes = 0;
  let isTooMuch = false;
  try {
    const result = await run(pool, config, (more) => !(isTooMuch = (bytes += more) > mostBytes));
    if (!isTooMuch) return Object.assign(result, { bytes });
  } catch (error) {
    if (!isTooMuch) throw error;
  }
  throw new TooMuchAtOnce('the result of the statement is too large');
}
