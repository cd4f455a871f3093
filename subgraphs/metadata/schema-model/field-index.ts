// What an index over a data field holds, as SQL: filters and orders that are to be answered by it have to say
// the very same.
// The other half is metadata.index_field() of the migrations.
import type { FieldDefinition } from './field-definition.ts';

/** The indexed kind of a field: numbers by value, texts by code points. */
export type IndexKind = 'number' | 'text';

/**
 * Characters of a text that an index contains: an entry has to fit into a third of a page, whatever the text.
 */
const MAX_INDEXED_LENGTH = 250;

/** A jsonb value as number; NULL for other values. */
export const numberKeySql = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'number' THEN ${value} END)`;

/** The beginning of a jsonb value that is a string; NULL for other values. Compare it under `COLLATE "C"`. */
export const textKeySql = (value: string): string =>
  `"left"(CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${value} #>> '{}' END, ${MAX_INDEXED_LENGTH})`;

/** The part of a constant that can be compared with a key. */
export const keyOf = (text: string): string => [...text].slice(0, MAX_INDEXED_LENGTH).join('');

/** Whether a text compares with every other as with its key: then none has the text as its key and goes on. */
export const isShorterThanKeys = (text: string): boolean => [...text].length < MAX_INDEXED_LENGTH;

/** How a field is indexed; null if it is not. */
export function indexKind({ indexed, type }: Pick<FieldDefinition, 'indexed' | 'type'>): IndexKind | null {
  if (!indexed) return null;
  return type === 'int' || type === 'float' ? 'number' : 'text';
}
