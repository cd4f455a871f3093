// All schemas of one revision, resolved against each other, for the validation of writes and queries by type.
import { invalid } from '../../../platform/errors.ts';
import { Suggestions } from '../../../platform/suggestions.ts';
import type { SchemaDefinition, SchemaRule } from './definition.ts';
import type { EntityType } from './entity-type.ts';
import type { FieldDefinition } from './field-definition.ts';

export interface CatalogueEntry {
  readonly definition: SchemaDefinition;
  readonly revision: number;
}

const MAX_DEPTH = 32;
/** Names of schemas are ASCII: this order equals that of the database with `COLLATE "C"`. */
const byCodePoint = (a: string, b: string): number => (a < b ? -1 : 1);

export class SchemaCatalogue {
  /** The deployment's schema revision: 0 before any schema. */
  readonly revision: number;
  /**
   * The database server that it was read from, empty where it was not: after a failover, the same revision may stand
   * for other schemas.
   */
  readonly server: string;
  /** Suggestions for an unknown type. */
  readonly suggestions = new Suggestions(() => [...this.#types.keys()]);
  readonly #types: ReadonlyMap<string, EntityType>;

  /**
   * @param before a known catalogue: only what the entries concern is resolved anew
   * @throws DomainError `validation_failed` if a parent is unknown, a chain is a cycle, or a field
   * contradicts an inherited one
   */
  constructor(
    revision: number,
    entries: readonly CatalogueEntry[],
    before?: SchemaCatalogue,
    server = before?.server ?? '',
  ) {
    this.revision = revision;
    this.server = server;
    this.#types = resolved(before === undefined ? new Map<string, EntityType>() : before.#types, entries);
  }

  /** The catalogue with one schema added or replaced, at the next revision. @throws like the constructor */
  with(definition: SchemaDefinition): SchemaCatalogue {
    const revision = this.revision + 1;
    return new SchemaCatalogue(revision, [{ definition, revision }], this);
  }

  get(name: string): EntityType | undefined {
    return this.#types.get(name);
  }

  /** By name. */
  types(): IterableIterator<EntityType> {
    return this.#types.values();
  }

  /** Whether type `actual` is `asked` or one of its subtypes (docs/reference/metadata.md#subtypes). */
  isA(actual: string, asked: string): boolean {
    return actual === asked || (this.#types.get(actual)?.selfAndAncestors.includes(asked) ?? false);
  }
}

/** Every type by name, of the known and the changed schemas: unaffected types remain the same objects. */
function resolved(
  known: ReadonlyMap<string, EntityType>,
  entries: readonly CatalogueEntry[],
): ReadonlyMap<string, EntityType> {
  const given = new Map(entries.map((entry) => [entry.definition.name, entry]));
  const concerned = new Set([...given.keys()].flatMap((name) => known.get(name)?.selfAndSubtypes ?? [name]));
  const lines = new Map(
    [...concerned].map((name) => [name, chain(name, (one) => given.get(one) ?? known.get(one))]),
  );
  const below = subtypesOf(known, lines);
  const changed = new Map<string, EntityType>();
  for (const [name, names] of below) {
    const [selfAndSubtypes, line, type] = [names.toSorted(byCodePoint), lines.get(name), known.get(name)];
    if (line !== undefined) changed.set(name, typeOf(line, selfAndSubtypes));
    else if (type !== undefined) changed.set(name, { ...type, selfAndSubtypes });
  }
  const types = new Map(known);
  for (const [name, type] of changed) types.set(name, type);
  return types.size === known.size ? types : new Map([...types].sort(([a], [b]) => byCodePoint(a, b)));
}

/** For every type whose descendants have changed: itself and all its descendants now. */
function subtypesOf(
  known: ReadonlyMap<string, EntityType>,
  lines: ReadonlyMap<string, readonly CatalogueEntry[]>,
): ReadonlyMap<string, string[]> {
  const below = new Map<string, string[]>();
  const listOf = (name: string): string[] => {
    let list = below.get(name);
    if (list === undefined)
      below.set(name, (list = (known.get(name)?.selfAndSubtypes ?? []).filter((one) => !lines.has(one))));
    return list;
  };
  for (const [name, line] of lines) {
    for (const above of known.get(name)?.selfAndAncestors ?? []) listOf(above);
    for (const { definition: above } of line) listOf(above.name).push(name);
  }
  return below;
}

function typeOf(line: readonly CatalogueEntry[], selfAndSubtypes: readonly string[]): EntityType {
  const [own] = line;
  if (own === undefined) throw new Error('the schema is missing from its own line of ancestors');
  const { definition } = own;
  const definitions = line.map((one) => one.definition);
  const fields = inheritedFields(definitions);
  return {
    name: definition.name,
    definition,
    revision: own.revision,
    changedAt: Math.max(...line.map((one) => one.revision)),
    fields,
    rules: definitions.toReversed().flatMap((d): readonly SchemaRule[] => d.rules),
    selfAndAncestors: definitions.map((d) => d.name),
    selfAndSubtypes,
    uniqueFields: uniqueFields(definitions, fields),
    enums: enumFields(definitions, fields),
    mustExist: [...fields.values()].filter((field) => field.mustExist).map((field) => field.name),
    instants: [...fields.values()].filter((field) => field.type === 'datetime').map((field) => field.name),
    hasProject: fields.has('project'),
  };
}

/** The schema and its ancestors, nearest first. */
function chain(name: string, entryOf: (name: string) => CatalogueEntry | undefined): CatalogueEntry[] {
  const line: CatalogueEntry[] = [];
  for (let next: string | null = name; next !== null;) {
    const entry = entryOf(next);
    if (!entry) throw invalid(`parent ${next} of schema ${line.at(-1)?.definition.name} does not exist`);
    const names = line.map(({ definition }) => definition.name);
    if (names.includes(next))
      throw invalid(`schema ${name} would be its own ancestor: ${[...names, next].join(' → ')}`);
    line.push({ definition: entry.definition, revision: entry.revision });
    if (line.length > MAX_DEPTH) throw invalid(`schema ${name} has more than ${MAX_DEPTH} ancestors`);
    next = entry.definition.parent;
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

function enumFields(
  line: readonly SchemaDefinition[],
  fields: ReadonlyMap<string, FieldDefinition>,
): { field: string; declaredBy: string }[] {
  return [...fields.values()]
    .filter((f) => f.type === 'enum')
    .map((field) => ({
      field: field.name,
      declaredBy: line.find((d) => d.fields.includes(field))?.name ?? line[0]?.name ?? field.name,
    }));
}

function uniqueFields(
  line: readonly SchemaDefinition[],
  fields: ReadonlyMap<string, FieldDefinition>,
): { field: string; scope: string }[] {
  return [...fields.values()]
    .filter((f) => f.unique)
    .map(({ name }) => ({
      field: name,
      scope:
        line.findLast((d) => d.fields.some((f) => f.name === name && f.unique))?.name ??
        line[0]?.name ??
        name,
    }));
}
