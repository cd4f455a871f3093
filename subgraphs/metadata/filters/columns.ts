// Maps the names of a filter to SQL expressions of the statement that contains it.

import { ENTITY_COLUMNS as COLUMNS, type EntityColumn } from '../../../platform/entity-columns.ts';
import { columnSql, JOINED_TIMES } from '../reading/column-sql.ts';

/**
 * SQL expressions, one for each name, of the column's type; what is not nullable must never be NULL. The same
 * filter serves the present table and its history: only these differ.
 */
export type FilterColumns = Readonly<Record<EntityColumn['name'], string>>;

/** `metadata.entity e`, with `metadata.provenance` joined as `c` (its first event) and `u` (its last). */
export const FILTER_COLUMNS = Object.fromEntries(
  COLUMNS.map((column) => [column.name, columnSql(column, JOINED_TIMES)]),
) as FilterColumns; // a member for each
