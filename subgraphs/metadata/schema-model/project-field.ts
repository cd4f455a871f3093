// The field `project`, which decides who sees an entity: a schema declares it as a single text or not at all
// (docs/reference/metadata.md#projects).
import type { EntityType } from './entity-type.ts';
import type { FieldType } from './field-definition.ts';
import type { SchemaCatalogue } from './schema-catalogue.ts';

/** Types whose values are stored as unchanged texts. */
const TEXTS: ReadonlySet<FieldType> = new Set(['string', 'enum', 'uri', 'ref']);

/** The fault of a type's own or inherited `project`, as a sentence; null if there is none. */
export function projectFieldFault({ name, fields }: EntityType): string | null {
  const field = fields.get('project');
  if (!field || (TEXTS.has(field.type) && !field.many)) return null;
  return `field project of schema ${name} must be a single string (string, enum, uri or ref, not many), because it decides who may see an entity; it is ${field.many ? 'a list' : `a ${field.declaredType}`}`;
}

/** Types that were registered before this check existed. */
export const typesWithFaultyProject = (catalogue: SchemaCatalogue): string[] =>
  [...catalogue.types()].filter((type) => projectFieldFault(type) !== null).map(({ name }) => name);
