// Makes the indexes of the fields that the stored schemas mark, in a database whose rows came from elsewhere.
import { linesSql } from '../../../platform/archive/table-section.ts';
import { readArchivedRow } from '../../../platform/archive/archived-row.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { markedFields } from '../schema-model/marked-fields.ts';
import { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { SCHEMAS } from './archived-tables.ts';
import { indexFields } from './restore.store.ts';
import { withRevision } from './restored-schemas.ts';
import { walkLines } from '../../../platform/archive/walk-rows.store.ts';

/** In a transaction of the owner. */
export async function indexMarkedFields(db: Queryable): Promise<void> {
  let catalogue = new SchemaCatalogue(0, []);
  for await (const lines of walkLines(db, linesSql(SCHEMAS)))
    for (const line of lines) catalogue = withRevision(catalogue, readArchivedRow(SCHEMAS, line));
  await indexFields(db, [...markedFields(catalogue).values()]);
}
