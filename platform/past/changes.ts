// Which rows of a component have changed, in the order of their changes, as they are committed
// (docs/decisions/0172-lists-follow-past-states.md).
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '../errors.ts';
import { enterInTurn, FairSlots } from '../fair-slots.ts';
import type { Notifier } from '../notifier.ts';
import { instantSql, type Queryable } from '../queryable.ts';
import type { PastTable } from './past-rows.ts';
import { finalityOf } from './past.store.ts';

/** Changes that are looked at together, and a few more where one transaction has made many. */
const AT_ONCE = 200;
/** Milliseconds in which changes of a row become one for those who follow. */
const PAUSE_MS = 200;
/** Milliseconds before a replay goes on from a page that had nothing for who follows: no consumer slows it. */
const REPLAY_PAUSE_MS = 100;
/** Pages of the past that are read at a time; those who follow the present do not wait for them. */
const replays = new FairSlots({ slots: 4, perKey: 2, waiting: 100 });

interface Place {
  /** Everything up to here has been looked at. */
  readonly upto: string;
  readonly isEnd: boolean;
}

export interface ChangePage<Row> extends Place {
  /** The rows in the order of their last changes. */
  readonly rows: readonly Row[];
}

export interface ChangedRows {
  readonly table: PastTable;
  /** SQL of whether a change `p` matters, by its `state`. */
  readonly matters?: string;
  /** SQL of the rows: each of `changed`, with its `key` and the time `at`, and a column `changedAt`. */
  readonly rows: string;
}

/** SQL of a page of changes after the time in the first parameter. */
export const changesSql = ({ table: { schema, name }, matters = 'true', rows }: ChangedRows): string =>
  `WITH page AS MATERIALIZED (
     SELECT s.key, s.until, s.state FROM ${schema}.past_state s WHERE s.relation = '${name}' AND s.until > $1::text::timestamptz
     ORDER BY s.until FETCH FIRST ${AT_ONCE} ROWS WITH TIES),
   place AS (SELECT count(*) < ${AT_ONCE} AS "isEnd", coalesce(max(p.until), $1::text::timestamptz) AS upto FROM page p),
   changed AS (SELECT p.key COLLATE "default" AS key, max(p.until) AS at FROM page p WHERE ${matters} GROUP BY p.key)
   SELECT place."isEnd", ${instantSql('place.upto')} AS upto, row.* FROM place LEFT JOIN LATERAL (${rows}) row ON true ORDER BY row."changedAt"`;

/** The page of a statement of {@link changesSql}. */
export function pageOfChanges<Row extends { readonly changedAt: string }>(
  found: readonly (Place & (Row | { readonly changedAt: null }))[],
): ChangePage<Row> {
  const [first] = found;
  if (first === undefined) throw new Error('a page of changes has no place');
  return {
    upto: first.upto,
    isEnd: first.isEnd,
    rows: found.filter((row): row is Place & Row => row.changedAt !== null),
  };
}

/** The time of the last change of a table; the beginning of all times before the first. */
export async function lastChange(db: Queryable, { schema, name }: PastTable): Promise<string> {
  const { rows } = await db.query<{ at: string }>(
    `SELECT ${instantSql(`coalesce((SELECT max(s.until) FROM ${schema}.past_state s WHERE s.relation = '${name}'), 'epoch')`)} AS at`,
  );
  return rows[0]?.at ?? '1970-01-01T00:00:00.000000Z';
}

/** @throws DomainError `validation_failed` for a time after which changes may have been deleted */
export async function assertKept(db: Queryable, { schema }: PastTable, after: string | null): Promise<void> {
  if (after === null) return;
  const { begins } = await finalityOf(db, schema, after);
  if (begins !== null && after < begins)
    throw invalid(`changes of ${schema} are known from ${begins} on`, { field: 'after', from: begins });
}

export interface Following<Row> {
  /** Null: from now on. */
  readonly after: string | null;
  readonly last: () => Promise<string>;
  readonly page: (after: string) => Promise<ChangePage<Row>>;
  readonly notifier: Notifier;
  /** What its notifications carry. */
  readonly key: string;
  readonly actor: string;
  readonly signal: AbortSignal | undefined;
}

/** Every row that changes after a time, without end; a page is read when the one before has been consumed. */
export async function* followChanges<Row>(following: Following<Row>): AsyncGenerator<Row, void, undefined> {
  const { last, notifier, key, actor, signal } = following;
  const page = async (after: string, isReplay: boolean): Promise<ChangePage<Row>> => {
    const leave = isReplay
      ? await enterInTurn(replays, actor, signal, 'too many of your replays are under way')
      : undefined;
    try {
      return await following.page(after);
    } finally {
      leave?.();
    }
  };
  const waiter = await notifier.waiter(key, signal);
  try {
    let isReplay = following.after !== null;
    for (let after = following.after ?? (await last()); signal?.aborted !== true;) {
      const { rows, upto, isEnd } = await page(after, isReplay);
      for (const row of rows) yield row;
      after = upto;
      isReplay = !isEnd;
      if (isReplay) {
        if (rows.length === 0) await sleep(REPLAY_PAUSE_MS, undefined, { ref: false });
        continue;
      }
      await waiter.next();
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error; // nobody waits for it any more
  } finally {
    await waiter.release();
  }
}
