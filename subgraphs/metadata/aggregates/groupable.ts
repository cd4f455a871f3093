// What entities can be grouped by and measured: single values of fields, and an entity's own columns.
import { COLUMN_BY_NAME, type ColumnType, type EntityColumn } from '../../../platform/entity-columns.ts';
import { invalid } from '../../../platform/errors.ts';
import { type Bucket, bucketNamed, PERIODS } from './buckets.ts';
import type { FieldType } from '../schema-model/field-definition.ts';
import type { EntityType } from '../schema-model/entity-type.ts';

/** What can be said of values: of numbers all, of texts and times no sum, of truths only how many. */
export type ValueKind = 'number' | 'text' | 'truth';

export interface Groupable {
  readonly name: string;
  readonly kind: ValueKind;
  /** Whether its texts are instants, or dates; null for other values. */
  readonly time: 'instant' | 'date' | null;
  /** Null for a field of data. */
  readonly column: EntityColumn | null;
  /** Whether an entity has several: only facets count the values of lists. */
  readonly isList: boolean;
}

/** What is grouped by. */
export interface GroupKey extends Groupable {
  /** Its name in the keys of groups. */
  readonly label: string;
  /** Null for the values as they are. */
  readonly bucket: Bucket | null;
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

function groupable(type: EntityType, name: string, lists = false): Groupable {
  const field = type.fields.get(name);
  // as of field parameters: an id is never kept in data
  const column = field === undefined || name === 'id' ? (COLUMN_BY_NAME.get(name) ?? null) : null;
  let kind: ValueKind | null = null;
  if (column !== null) kind = KIND_OF_COLUMN[column.type];
  else if (field === undefined) throw invalid(`unknown field ${name.slice(0, 200)}`, { field: name });
  else if (!field.many || lists) kind = KIND_OF_FIELD[field.type];
  if (kind === null)
    throw invalid(
      lists
        ? `${name} has no values that could be counted`
        : `${name} has no single values: it cannot be grouped or measured`,
      { field: name },
    );
  const time = TIME_OF.get(column?.type ?? field?.type ?? '') ?? null;
  return { name, kind, column, time, isList: column === null && field?.many === true };
}

const TIME_OF: ReadonlyMap<string, 'instant' | 'date'> = new Map([
  ['instant', 'instant'],
  ['datetime', 'instant'],
  ['date', 'date'],
]);

function once<Value>(values: readonly Value[], argument: string, most: number): readonly Value[] {
  if (values.length > most) throw invalid(`${argument} takes at most ${most} names`, { field: argument });
  return values;
}

/** Each name once. @throws DomainError `validation_failed` for one that is unknown or unfit, and too many */
export const groupables = (
  type: EntityType,
  names: readonly string[],
  argument: string,
  most: number,
): readonly Groupable[] => once([...new Set(names)], argument, most).map((name) => groupable(type, name));

/** As {@link groupables}, and lists as well. @throws DomainError `validation_failed` */
export const countables = (
  type: EntityType,
  names: readonly string[],
  argument: string,
  most: number,
): readonly Groupable[] =>
  once([...new Set(names)], argument, most).map((name) => groupable(type, name, true));

/**
 * A field or column, or one with an interval: `drawn:month`, `age:10`.
 * @throws DomainError `validation_failed` where the interval does not fit the values
 */
function keyNamed(type: EntityType, label: string): GroupKey {
  const colon = label.lastIndexOf(':');
  const isWhole = colon < 0 || type.fields.has(label);
  const own = groupable(type, isWhole ? label : label.slice(0, colon));
  if (isWhole) return { ...own, label, bucket: null };
  const bucket = bucketNamed(label.slice(colon + 1));
  const fits =
    bucket !== null &&
    ('width' in bucket
      ? own.kind === 'number'
      : own.time !== null && (own.time === 'instant' || bucket.period !== 'HOUR'));
  if (!fits)
    throw invalid(
      `${label.slice(0, 200)}: numbers are grouped by a positive width, dates by ${PERIODS.slice(1).join(', ').toLowerCase()}, times by these and hour`,
      { field: own.name },
    );
  return { ...own, label, bucket };
}

/** Each label once. @throws DomainError `validation_failed` as {@link groupables} */
export const groupKeys = (
  type: EntityType,
  labels: readonly string[],
  argument: string,
  most: number,
): readonly GroupKey[] => once([...new Set(labels)], argument, most).map((label) => keyNamed(type, label));
