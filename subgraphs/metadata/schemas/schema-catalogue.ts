// All schemas of one revision, resolved against each other: what a write is validated by and a query by type looks up.
import { invalid } from '../../../platform/errors.ts';
import { Suggestions } from '../../../platform/suggestions.ts';
import type { SchemaDefinition, SchemaRule } from './definition.ts';
import type { EntityType } from './entity-type.ts';
import type { FieldDefinition } from './field.ts';

export interface CatalogueEntry { readonly definition: SchemaDefinition; readonly revision: number }

const MAX_DEPTH = 32;
/** Names of schemas are ASCII: as the database with `COLLATE "C"` orders them. */
const byCodePoint = ({ definition: a }: CatalogueEntry, { definition: b }: CatalogueEntry): number => (a.name < b.name ? -1 : 1);

export class SchemaCatalogue {
  /** The deployment's schema revision: 0 before any schema. */
  readonly revision: number;
  /** Types that somebody may have meant. */
  readonly suggestions = new Suggestions(() => [...this.#types.keys()]);
  readonly #types = new Map<string, EntityType>();

  /** @throws DomainError `validation_failed` where a parent is unknown, a chain is a cycle, or a field contradicts an inherited one */
  constructor(revision: number, entries: readonly CatalogueEntry[]) {
    this.revision = revision;
    const byName = new Map(entries.map((entry) => [entry.definition.name, entry]));
    const ancestors = new Map(entries.map(({ definition }) => [definition.name, chain(definition, byName)]));
    const subtypes = new Map<string, string[]>();
    for (const [name, line] of ancestors) for (const { name: above } of line) {
      const below = subtypes.get(above);
      if (below) below.push(name);
      else subtypes.set(above, [name]);
    }
    for (const { definition, revision: since } of entries.toSorted(byCodePoint)) {
      const line = ancestors.get(definition.name) ?? [definition];
      const fields = inheritedFields(line);
      this.#types.set(definition.name, {
        name: definition.name, definition, revision: since, fields,
        rules: line.toReversed().flatMap((d): readonly SchemaRule[] => d.rules),
        selfAndAncestors: line.map((d) => d.name),
        selfAndSubtypes: subtypes.get(definition.name) ?? [definition.name],
        uniqueFields: uniqueFields(line, fields),
        hasProject: fields.has('project'),
      });
    }
  }

  /** The catalogue with one schema added or replaced, a revision further. @throws like the constructor */
  with(definition: SchemaDefinition): SchemaCatalogue {
    const others = [...this.#types.values()].filter((t) => t.name !== definition.name);
    const revision = this.revision + 1;
    return new SchemaCatalogue(revision, [...others, { definition, revision }]);
  }

  get(name: string): EntityType | undefined {
    return this.#types.get(name);
  }

  /** By name. */
  types(): IterableIterator<EntityType> {
    return this.#types.values();
  }

  /** Whether an entity of type `actual` answers to the name `asked`: itself or a supertype (spec 2 «Entity»). */
  isA(actual: string, asked: string): boolean {
    return actual === asked || (this.#types.get(actual)?.selfAndAncestors.includes(asked) ?? false);
  }
}

/** The definition and those above it, nearest first. */
function chain(definition: SchemaDefinition, byName: ReadonlyMap<string, CatalogueEntry>): SchemaDefinition[] {
  const line = [definition];
  for (let next = definition.parent; next !== null;) {
    const above = byName.get(next)?.definition;
    if (!above) throw invalid(`parent ${next} of schema ${line.at(-1)?.name} does not exist`);
    if (line.includes(above)) throw invalid(`schema ${definition.name} would be its own ancestor: ${[...line, above].map((d) => d.name).join(' → ')}`);
    line.push(above);
    if (line.length > MAX_DEPTH) throw invalid(`schema ${definition.name} has more than ${MAX_DEPTH} ancestors`);
    next = above.parent;
  }
  return line;
}

function inheritedFields(line: readonly SchemaDefinition[]): ReadonlyMap<string, FieldDefinition> {
  const fields = new Map<string, FieldDefinition>();
  for (const definition of line.toReversed()) {
    for (const field of definition.fields) {
      const inherited = fields.get(field.name);
      if (inherited && (inherited.type !== field.type || inherited.many !== field.many)) {
        throw invalid(`field ${field.name} of schema ${definition.name} contradicts the field it inherits`);
      }
      fields.set(field.name, field);
    }
  }
  return fields;
}

function uniqueFields(line: readonly SchemaDefinition[], fields: ReadonlyMap<string, FieldDefinition>): { field: string; scope: string }[] {
  return [...fields.values()].filter((f) => f.unique).map(({ name }) => ({
    field: name,
    scope: line.findLast((d) => d.fields.some((f) => f.name === name && f.unique))?.name ?? line[0]?.name ?? name,
  }));
}
