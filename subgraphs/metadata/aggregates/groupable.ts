// What entities can be grouped by and measured: single values of fields, and an entity's own columns.
import { COLUMN_BY_NAME, type ColumnType, type EntityColumn } from '../../../platform/entity-columns.ts';
import { invalid } from '../../../platform/errors.ts';
import type { FieldType } from '../schema-model/field-definition.ts';
import type { EntityType } from '../schema-model/entity-type.ts';

/** What can be said of values: of numbers all, of texts and times no sum, of truths only how many. */
export type ValueKind = 'number' | 'text' | 'truth';

export interface Groupable {
  readonly name: string;
  readonly kind: ValueKind;
  /** Null for a field of data. */
  readonly column: EntityColumn | null;
}

/** Null for values that are not single ones. */
const KIND_OF_FIELD: Readonly<Record<FieldType, ValueKind | null>> = {
  string: 'text',
  int: 'number',
  float: 'number',
  bool: 'truth',
  date: 'text',
  datetime: 'text',
  enum: 'text',
  uri: 'text',
  json: null,
  ref: 'text',
};
const KIND_OF_COLUMN: Readonly<Record<ColumnType, ValueKind | null>> = {
  text: 'text',
  name: 'text',
  integer: 'number',
  boolean: 'truth',
  instant: 'text',
  object: null,
};

function groupable(type: EntityType, name: string): Groupable {
  const field = type.fields.get(name);
  // as of field parameters: an id is never kept in data
  const column = field === undefined || name === 'id' ? (COLUMN_BY_NAME.get(name) ?? null) : null;
  let kind: ValueKind | null = null;
  if (column !== null) kind = KIND_OF_COLUMN[column.type];
  else if (field === undefined) throw invalid(`unknown field ${name.slice(0, 200)}`, { field: name });
  else if (!field.many) kind = KIND_OF_FIELD[field.type];
  if (kind === null)
    throw invalid(`${name} has no single values: it cannot be grouped or measured`, { field: name });
  return { name, kind, column };
}

/** Each name once. @throws DomainError `validation_failed` for one that is unknown or unfit, and too many */
export function groupables(
  type: EntityType,
  names: readonly string[],
  argument: string,
  most: number,
): readonly Groupable[] {
  const once = [...new Set(names)];
  if (once.length > most) throw invalid(`${argument} takes at most ${most} names`, { field: argument });
  return once.map((name) => groupable(type, name));
}
