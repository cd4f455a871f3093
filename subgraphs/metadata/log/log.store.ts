// SQL of the log's transactions: the one that holds the log's lock, and the read-only one.
import type { Pool, PoolClient } from 'pg';
import { BEGIN_SNAPSHOT } from '../../../platform/database/lent-connection.ts';
import { DomainError, outcomeUnknown } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { isUnanswered } from '../../../platform/store-away.ts';
import { LOG_SERVER } from '../reading/log-server.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { readCatalogue } from './schemas.store.ts';
import { flush, readyFlush } from './flush.store.ts';
import { TransactionCounts } from './log-metrics.ts';
import { load } from './load.store.ts';
import {
  type LogView,
  type OpenLog,
  type OpenLogOptions,
  Overtaken,
  type SchemaMark,
  SchemasChanged,
  StoodStill,
} from './open-log.ts';
import { ReadAhead } from './read-ahead.store.ts';
import type { Rivals } from './rivals.ts';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

/**
 * Runs `work` in a transaction of its own that holds the log's lock: nobody else writes until it ends.
 * Commits when `work` resolves; rolls back when it rejects. With an `expected` revision `work` begins at
 * once, and its statements are queued behind the lock. With `isAhead` the lock is taken with the first statement that
 * writes: what was read before is compared under it, in the same sending.
 * @param pool of pipelined connections: the commit is sent with the last statement
 * @throws SchemasChanged if the revision is not the expected one, or if the wait for the lock was so long that the
 * time has to be sent again; StoodStill if this process did while it held the lock; Overtaken if what was read ahead
 * has changed; DomainError `component_unavailable` if the next event would lie in the future
 */
export async function withOpenLog<T>(
  pool: Pool,
  work: (log: OpenLog & { readonly client: Queryable }) => Promise<T>,
  { expected, clockAheadSeconds, rivals, isAhead = false }: LogOptions,
): Promise<T> {
  const client = await pool.connect();
  let began = performance.now();
  let broken: Error | undefined;
  let wasIdle = false;
  const counts = new TransactionCounts();
  const noteEnd = (error: Error): void => {
    wasIdle ||= isIdle(error);
  };
  client.on('error', noteEnd);
  let committed: Promise<void> | undefined;
  const commit = (): Promise<void> => (committed ??= commitOn(client));
  const allow = (): void => {
    allowTimes(client, clockAheadSeconds).catch(() => undefined);
  }; // if this fails, so does everything after it
  let opened: Promise<SchemaMark> | undefined;
  const open = (): Promise<SchemaMark> => {
    if (opened !== undefined) return opened;
    began = performance.now();
    opened = counts.open(openLog(client, expected));
    opened.catch(() => undefined); // reported below, where it is awaited
    if (expected !== undefined) allow();
    return opened;
  };
  const ahead = isAhead && expected !== undefined ? new ReadAhead(client, expected) : undefined;
  try {
    const opening = ahead === undefined ? open() : undefined;
    const mark = expected ?? (await (opening ?? open()));
    const result = await work({
      client,
      mark,
      catalogue: (known) => readCatalogue(client, known),
      load: (needs, large) => (ahead === undefined ? load(client, needs, large) : ahead.load(needs, large)),
      ready: readyFlush,
      flush(set, isLast, also) {
        if (expected === undefined) allow(); // after the lock, which may have taken time
        if (opened === undefined && set.events.length > 0) {
          void open();
          ahead?.compare();
        }
        const flushed = flush(client, set, (base) => rivals?.wrote(base, set.events.length, counts.waitedMs));
        counts.flushed(set.events);
        const done = also?.();
        if (isLast && opened !== undefined) commit().catch(() => undefined); // likewise
        return done === undefined ? flushed : Promise.all([flushed, done]).then(([times]) => times);
      },
    });
    if (opened === undefined) await ahead?.assertCurrent();
    else {
      await opened;
      await commit();
      counts.committed();
    }
    return result;
  } catch (error) {
    const first = await (opened ?? Promise.resolve()).then(
      () => error,
      (fault: unknown) => fault,
    ); // later statements failed because of it
    await client.query('ROLLBACK').catch((fault: unknown) => {
      broken = fault instanceof Error ? fault : new Error(String(fault));
    });
    const isLate = isTooLate(first) && expected !== undefined && performance.now() - began > LONG_WAIT_MS;
    const isOver = wasIdle || isIdle(first); // the server has rolled back: it was not committed, nor will be
    if (ahead !== undefined && (ahead.isOvertaken || isTaken(first))) throw new Overtaken();
    if (committed !== undefined && !isOver && isUnanswered(first)) throw outcomeUnknown('store', null, first);
    if (isOver) throw new StoodStill(first);
    throw told(isChange(first) || isLate ? new SchemasChanged() : first, clockAheadSeconds);
  } finally {
    client.off('error', noteEnd);
    client.release(broken);
  }
}

/** The error of metadata.open_log_at. */
const isChange = (error: unknown): boolean => systemErrorCode(error) === 'CA001';

/** The error of metadata.event_time. */
const isTooLate = (error: unknown): error is Error => systemErrorCode(error) === 'CA002';
/** The error of metadata.assert_write_format. */
const isOutdated = (error: unknown): error is Error => systemErrorCode(error) === 'CA004';
/** The server has ended a session that held the lock and sent nothing. */
const isIdle = (error: unknown): boolean => systemErrorCode(error) === '25P03';
/** A process that stands still, as on a machine that is suspended, does not keep the others from writing for longer. */
const IDLE_SECONDS = 3;
/** After a longer wait the time that was sent before it is outdated. */
const LONG_WAIT_MS = 5000;

/** A key that was free when it was read. */
const isTaken = (error: unknown): boolean => systemErrorCode(error) === '23505';

export interface LogOptions extends OpenLogOptions {
  /** How far ahead of this process's clock an event may be stamped. */
  readonly clockAheadSeconds: number;
  /** Is told of every batch. */
  readonly rivals?: Rivals;
}

/** Microseconds since 1970, by this process's clock. */
const latestTime = (aheadSeconds: number): string =>
  String(Math.trunc((Date.now() + aheadSeconds * 1000) * 1000));

/** Allows the transaction's events timestamps up to this far ahead of now; call it before the first event. */
export const allowTimes = async (client: Queryable, aheadSeconds: number): Promise<void> => {
  await client.query({
    name: 'log-latest-time',
    text: `SELECT set_config('cairn.latest_time', $1, true)`,
    values: [latestTime(aheadSeconds)],
  });
};

/** @throws Error if the transaction had failed: PostgreSQL then rolls back and reports no error */
async function commitOn(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('the transaction had failed before its commit');
}

/** PostgreSQL's errors for text that it cannot store: U+0000, half of a surrogate pair. */
const UNSTORABLE: ReadonlySet<unknown> = new Set(['22021', '22P05']);
const isUnstorable = (error: Error & { readonly code?: unknown }): boolean =>
  UNSTORABLE.has(error.code) || (error.code === '22P02' && error.message.endsWith('type json'));

/** Requests over the network are validated before; a caller in this process may send any string. */
function told(error: unknown, clockAheadSeconds: number): unknown {
  if (isOutdated(error)) {
    return new DomainError(
      'component_unavailable',
      `${error.message}: this process must be replaced by the newer version; it still answers reads`,
      { component: 'store', upstream_status: null },
      { cause: error },
    );
  }
  if (isTooLate(error)) {
    return new DomainError(
      'component_unavailable',
      `${error.message}, more than ${clockAheadSeconds} s ahead of this server's clock: no writes are accepted until the clock of the database is corrected (docs/operations.md, «Clocks»)`,
      { component: 'store', upstream_status: null },
      { cause: error },
    );
  }
  if (!(error instanceof Error) || !isUnstorable(error)) return error;
  return new DomainError(
    'validation_failed',
    'a string must not contain U+0000 or a lone surrogate: it cannot be stored',
    {},
    { cause: error },
  );
}

/** What `metadata.open_log_at` refuses, because no schemas have this revision. */
const NO_REVISION = -1;

/**
 * Begins a transaction and takes the lock; returns the schema revision under it, and the server that has it. What is
 * expected of another server is refused like what is expected of another revision.
 */
async function openLog(client: PoolClient, expected: SchemaMark | undefined): Promise<SchemaMark> {
  const open =
    expected === undefined
      ? 'metadata.open_log()'
      : `metadata.open_log_at(CASE WHEN ${LOG_SERVER} = ${client.escapeLiteral(expected.server)} THEN ${Math.trunc(expected.revision)} ELSE ${NO_REVISION} END)`;
  const results = (await client.query(
    `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '${IDLE_SECONDS}s'; SELECT ${open} AS revision, ${LOG_SERVER} AS server`,
  )) as unknown as { rows: { revision: string | number; server: string }[] }[]; // One for each statement.
  const { revision, server } = results[3]?.rows[0] ?? { revision: 0, server: '' };
  return { revision: Number(revision), server };
}

/** Runs `work` in one snapshot, without the lock and without writing, concurrently with writes. */
export async function withLogView<T>(
  pool: Pool,
  known: SchemaCatalogue,
  work: (log: LogView) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(BEGIN_SNAPSHOT);
    const catalogue = await readCatalogue(client, known);
    return await work({
      mark: catalogue,
      catalogue: () => Promise.resolve(catalogue),
      load: (needs, large) => load(client, needs, large),
    });
  } finally {
    await client.query('ROLLBACK').catch((fault: unknown) => {
      broken = fault instanceof Error ? fault : new Error(String(fault));
    });
    client.release(broken);
  }
}
