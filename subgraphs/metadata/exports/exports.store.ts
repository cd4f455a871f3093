// Reads a listing of any length through a cursor of one transaction: all of it in one snapshot, a batch in
// memory at a time.
import type { Pool, PoolClient } from 'pg';
import { cancel, until } from '../../../platform/budget/bounded-query.ts';
import { BEGIN_SNAPSHOT } from '../../../platform/database/lent-connection.ts';
import { isConflict, type Reads } from '../../../platform/database/replicas.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { rowsAsText } from '../../../platform/queryable.ts';
import { findEntities } from '../entities/entities.store.ts';
import { entityColumnsSql, pageSql } from '../entities/page-sql.ts';
import { nextSize } from '../entities/walk.store.ts';
import { LOOKED_UP_TIMES, type TimeColumns } from '../reading/column-sql.ts';
import { EntityRecord, type EntityRow } from '../reading/entity-record.ts';
import type { PageRequest } from '../reading/page-request.ts';
import { settled } from '../reading/settle.ts';
import type { Moment } from '../reading/timeline.ts';
import type { WalkedRows } from './walked-rows.ts';
import { withinTime } from '../within-time.ts';

/** Rows of the first batch: their size is not known yet, and may be that of the largest entities. */
const FIRST = 4;
/**
 * The whole result is wanted, so the plan is the one for all of it. What is looked up meanwhile is of its snapshot. Each batch has the time of a statement; a
 * reader that takes nothing is cut off before the server ends the transaction.
 */
const SETTINGS = `SET LOCAL cursor_tuple_fraction = 1; SET LOCAL idle_in_transaction_session_timeout = '120s'`;
const BEGIN = `${BEGIN_SNAPSHOT}; ${SETTINGS}`;

/** Where exports are read from. */
interface Sources {
  /** Of the primary. */
  readonly pool: Pool;
  readonly reads: Reads;
}

interface OpenExport {
  readonly client: PoolClient;
  readonly isOfPrimary: boolean;
  readonly first: readonly ExportedRow[];
}

/** `updated_at` is NULL where it is `created_at`. */
type ExportedRow = Omit<EntityRow, 'updated_at'> & { updated_at: string | null };

/** The time of the last event is looked up where it is another than the first: of most rows it is not. */
const exportedColumns = (times: TimeColumns): string =>
  entityColumnsSql(
    times === LOOKED_UP_TIMES
      ? { ...times, last: `CASE WHEN e.last_event <> e.first_event THEN ${times.last} END` }
      : times,
  );

/** In place: a copy of each row of a long export costs more than the look at it. */
const complete = (row: ExportedRow): EntityRow => {
  row.updated_at ??= row.created_at;
  return row as EntityRow; // the one member by which they differ has a value
};

const fetchRows = async (client: PoolClient, size: number): Promise<ExportedRow[]> =>
  (await withinTime(client.query<ExportedRow>({ text: `FETCH ${size} FROM export`, types: rowsAsText })))
    .rows;

/** A replica that cannot begin it leaves it to the primary: nothing has been answered yet. */
function openExport(
  { pool, reads }: Sources,
  request: PageRequest,
  signal: AbortSignal,
): Promise<OpenExport> {
  signal.throwIfAborted();
  return reads(async (on) => {
    const client = await on.connect();
    const stop = (): void => {
      cancel(client);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      const isOfPrimary = on === pool; // a replica has begun the transaction
      await client.query(isOfPrimary ? BEGIN : SETTINGS);
      const values: unknown[] = [];
      const known = await withinTime(settled(until(client, signal), request));
      const { text } = pageSql({ ...known, columns: exportedColumns }, values);
      await client.query(`DECLARE export NO SCROLL CURSOR FOR ${text}`, values);
      return { client, isOfPrimary, first: await fetchRows(client, FIRST) };
    } catch (error) {
      client.release(true);
      signal.throwIfAborted(); // we cancelled the statement ourselves
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }, true);
}

/** What has begun is of one snapshot, with which no other server can go on. */
const toldAs = (error: unknown): unknown =>
  isConflict(error)
    ? new DomainError(
        'component_unavailable',
        'the export was ended, because its replica had to go on; ask again',
        { component: 'store', upstream_status: null },
        { cause: error },
      )
    : error;

/**
 * Batches in order, until the signal: then the statement is cancelled. What others have written before is in it.
 * @throws the signal's reason; DomainError `validation_failed` where a batch takes longer than a statement may
 */
export async function* walkExport(
  sources: Sources,
  request: PageRequest,
  signal: AbortSignal,
): AsyncGenerator<WalkedRows, void, undefined> {
  const { client, isOfPrimary, first } = await openExport(sources, request, signal);
  let isOver = false;
  const stop = (): void => {
    cancel(client);
  };
  const records = async (
    ids: readonly string[],
    identity: Identity,
    at: Moment,
  ): Promise<ReadonlyMap<string, EntityRecord>> => {
    // awaited by who reads the batch, so that the walk below does not see its failure
    const found = await withinTime(findEntities(client, ids, identity, at)).catch((error: unknown) => {
      signal.throwIfAborted(); // we cancelled the statement ourselves
      throw toldAs(error);
    });
    return new Map([...found].map(([id, row]) => [id, new EntityRecord(row, at)]));
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    let rows = first;
    for (let size = FIRST; ; rows = await fetchRows(client, size)) {
      signal.throwIfAborted();
      if (rows.length > 0) yield { rows: rows.map(complete), records };
      if (rows.length < size) break;
      size = nextSize(rows);
    }
    if (isOfPrimary) await client.query('COMMIT'); // else where it was lent
    isOver = true;
  } catch (error) {
    signal.throwIfAborted(); // we cancelled the statement ourselves
    throw toldAs(error);
  } finally {
    signal.removeEventListener('abort', stop);
    // an export that was left keeps its transaction open, and a cancel request may arrive late: the
    // connection ends with it
    client.release(!isOver);
  }
}
