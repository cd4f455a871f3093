// The search text of an entity: its searchable strings without case, accents and punctuation
// (docs/reference/metadata.md#what-is-found).
import { type EntityData, type EntityType, ownValue } from './schema-model/entity-type.ts';
import type { FieldDefinition } from './schema-model/field-definition.ts';

const MAX_LENGTH = 200_000;
// oxlint-disable-next-line no-control-regex -- plain ASCII is told by its range
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Normalised words, as stored and as searched for: lower case, no accents, only letters, digits and spaces.
 */
export function searchableWords(text: string): string {
  const plain = ASCII.test(text) ? text : text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether full-text search includes a field. */
export const isSearched = (field: FieldDefinition): boolean =>
  field.searchable && (field.type === 'string' || field.type === 'enum');

export function searchText(type: EntityType, data: EntityData): string {
  const words: string[] = [];
  let length = 0;
  const add = (value: unknown): void => {
    if (typeof value !== 'string' || length > MAX_LENGTH) return;
    const text = searchableWords(value.slice(0, MAX_LENGTH));
    words.push(text);
    length += text.length;
  };
  for (const field of type.fields.values()) {
    if (!isSearched(field)) continue;
    const value = ownValue(data, field.name);
    if (Array.isArray(value)) value.forEach(add);
    else add(value);
  }
  return words.join(' ').slice(0, MAX_LENGTH);
}
