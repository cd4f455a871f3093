// Restores metadata from an archive: takes its tables, makes what follows from them, and looks for what contradicts the
// log (docs/reference/archives.md#import).
import { refused, type SectionName } from '../../../platform/archive/archive-format.ts';
import { readArchivedRow } from '../../../platform/archive/archived-row.ts';
import { storeRows } from '../../../platform/archive/store-rows.store.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { COUNTS_KEPT_EVERY } from '../log/keep-counts.ts';
import { markedFields } from '../schema-model/marked-fields.ts';
import { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { ENTITIES, METADATA_TABLES, SCHEMAS } from './archived-tables.ts';
import { lastEvent, endsInFuture, findContradiction } from './check-restored.store.ts';
import {
  continueLog,
  countEntities,
  countKinds,
  indexFields,
  lockEmptyLog,
  notifyRestored,
  storeUniques,
} from './restore.store.ts';
import { derivedOf, SEARCH_COLUMN } from './restored-entities.ts';
import { withRevision } from './restored-schemas.ts';

const TABLES = new Map(METADATA_TABLES.map((table) => [table.name, table]));

export class MetadataRestoration {
  readonly #db: Queryable;
  #catalogue = new SchemaCatalogue(0, []);

  /** @param db a transaction of the owner */
  constructor(db: Queryable) {
    this.#db = db;
  }

  /** @throws DomainError `conflict` where something has been written before */
  async begin(): Promise<void> {
    if (!(await lockEmptyLog(this.#db)))
      throw new DomainError(
        'conflict',
        'the instance is not empty: an archive is imported into one that has neither schemas nor entities',
      );
  }

  /** Whether the table is one of metadata's: then its rows are stored. */
  async rows(section: SectionName, lines: readonly string[]): Promise<boolean> {
    const table = TABLES.get(section);
    if (table === undefined) return false;
    const rows = lines.map((line) => readArchivedRow(table, line));
    if (table === SCHEMAS)
      this.#catalogue = rows.reduce((known, row) => withRevision(known, row), this.#catalogue);
    if (table !== ENTITIES) await storeRows(this.#db, table, lines);
    else {
      const derived = rows.map((row) => derivedOf(this.#catalogue, row));
      await storeRows(this.#db, table, lines, {
        ...SEARCH_COLUMN,
        texts: derived.map(({ words }) => words),
      });
      await storeUniques(
        this.#db,
        derived.flatMap(({ uniques }) => uniques),
      );
    }
    return true;
  }

  /**
   * Call it when everything has been taken, before the commit.
   * @param position of the last event, as the archive says
   * @throws DomainError `validation_failed` where something contradicts the log
   */
  async finish(position: number | null, clockAheadSeconds: number): Promise<void> {
    const last = (await lastEvent(this.#db)).position;
    if (last !== (position === null ? null : String(position)))
      throw refused(`ends at position ${String(last)} of the log, and not at ${String(position)}`);
    if (await endsInFuture(this.#db, clockAheadSeconds))
      throw refused('has events of the future: nothing could be written after them');
    const found = await findContradiction(this.#db);
    if (found !== null) throw refused(`contradicts itself: it has ${found.what} (${found.which})`);
    await countEntities(this.#db, Math.max(COUNTS_KEPT_EVERY, await countKinds(this.#db)));
    await indexFields(this.#db, [...markedFields(this.#catalogue).values()]);
    await continueLog(this.#db);
    await notifyRestored(this.#db, this.#catalogue.revision);
  }
}
