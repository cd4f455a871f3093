// Which states that have ended held the words of a search: their words are not stored, but made with today's schemas.
import { type DomainError, invalid } from '../../../platform/errors.ts';
import { type Queryable, rowsAsText } from '../../../platform/queryable.ts';
import { whereSql } from '../entities/page-parts.ts';
import { eventsFor } from '../entities/page-sql.ts';
import { nextSize } from '../entities/walk.store.ts';
import type { Matches } from '../reading/page-request.ts';
import { endedStates, eventsAt } from '../reading/states.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { searchText } from '../search-text.ts';
import { textsHolding } from './states-holding.ts';

/** Maximum states that have ended since a moment for which a search computes search words. */
const MAX_ENDED = 20_000;
/** Maximum characters of their data. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
/** States of the first batch: their size is not known yet, and may be that of the largest entities. */
const FIRST = 4;

const tooMany = (what: string): DomainError =>
  invalid(
    `${what} of the type have changed since as_of: search in a more recent past, or list with a filter`,
    {
      field: 'as_of',
    },
  );

/** A state that has ended, and the text under which it is found. */
export interface EndedMatch {
  readonly first_event: string;
  readonly text: string;
}

interface EndedRow {
  readonly first_event: string;
  readonly entity_type: string;
  readonly data: string;
}

/**
 * Of the states that stood at the moment and have ended since, those that hold the words: in batches of a cursor, so that
 * only what matches is kept. `db` is one transaction.
 * @throws DomainError `validation_failed` where they are too many
 */
export async function* endedMatches(
  db: Queryable,
  scope: Omit<Matches, 'at'> & { readonly at: string },
  matching: string,
  catalogue: SchemaCatalogue,
): AsyncGenerator<EndedMatch, void, undefined> {
  const { identity, at } = scope;
  const values: unknown[] = [at];
  const where = whereSql(scope, values);
  const ended = `FROM ${endedStates('$1::bigint')}${eventsFor(scope, eventsAt('$1::bigint'))} WHERE ${where}`;
  const counted = await db.query<{ n: string }>(
    `SELECT count(*)::text AS n FROM (SELECT 1 ${ended} LIMIT ${MAX_ENDED + 1}) c`,
    values,
  );
  const number = Number(counted.rows[0]?.n ?? 0);
  if (number > MAX_ENDED) throw tooMany(`more than ${MAX_ENDED} entities`);
  if (number === 0) return;
  let characters = 0;
  for await (const rows of batches(db, `SELECT e.first_event, e.entity_type, e.data ${ended}`, values)) {
    for (const { data } of rows) characters += data.length;
    if (characters > MAX_CHARACTERS)
      throw tooMany(`entities with more than ${MAX_CHARACTERS} characters of data`);
    for (const match of await matches(db, rows, matching, catalogue)) {
      if (identity.budget?.read(match.text.length) === false) throw identity.budget.reason;
      yield match;
    }
  }
}

async function* batches(
  db: Queryable,
  text: string,
  values: unknown[],
): AsyncGenerator<readonly EndedRow[], void, undefined> {
  await db.query(`DECLARE ended NO SCROLL CURSOR FOR ${text}`, values);
  for (let size = FIRST; ;) {
    const { rows } = await db.query<EndedRow>({ text: `FETCH ${size} FROM ended`, types: rowsAsText });
    yield rows;
    if (rows.length < size) break;
    size = nextSize(rows);
  }
  await db.query('CLOSE ended');
}

async function matches(
  db: Queryable,
  rows: readonly EndedRow[],
  matching: string,
  catalogue: SchemaCatalogue,
): Promise<readonly EndedMatch[]> {
  const states = rows.flatMap(({ first_event, entity_type, data }) => {
    const type = catalogue.get(entity_type);
    return type ? [{ first_event, text: searchText(type, JSON.parse(data) as EntityData) }] : []; // of an entity
  });
  const texts = states.map(({ text }) => text);
  return (await textsHolding(db, matching, texts)).flatMap((n) => states[n] ?? []);
}
