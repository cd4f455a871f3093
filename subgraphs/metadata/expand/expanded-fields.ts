// The fields to which the paths of an expansion lead, for tables that have a column for each
// (docs/reference/metadata.md#expanded-columns).
import { invalid } from '../../../platform/errors.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { type FieldView, view } from '../schemas/schema-view.ts';
import { readPaths, type Step } from './expand-paths.ts';

export interface ExpandedField {
  readonly path: readonly string[];
  /** Null where the path leads to a list of entities. */
  readonly field: FieldView | null;
}

const typesOf = (names: Iterable<string>, catalogue: SchemaCatalogue): EntityType[] =>
  [...names].flatMap((name) => catalogue.get(name) ?? []);

/** Each field once: several types of a family may have it. */
function fieldsOf(types: readonly EntityType[]): FieldView[] {
  const byName = new Map<string, FieldView>();
  for (const type of types)
    for (const field of view(type).allFields()) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}

/** The field of a step in the types, or where none of them has it in their subtypes. */
function declared(
  { name }: Step,
  types: readonly EntityType[],
  catalogue: SchemaCatalogue,
): FieldDefinition[] {
  const inTypes = (some: readonly EntityType[]): FieldDefinition[] =>
    some.flatMap((type) => type.fields.get(name) ?? []);
  const own = inTypes(types);
  return own.length > 0 ? own : inTypes(types.flatMap((type) => typesOf(type.selfAndSubtypes, catalogue)));
}

function below(
  steps: readonly Step[],
  types: readonly EntityType[],
  catalogue: SchemaCatalogue,
  before: readonly string[],
): ExpandedField[] {
  return steps.flatMap((step): ExpandedField[] => {
    const path = [...before, step.name];
    const fields = declared(step, types, catalogue);
    if (step.isList || step.kind === 'relationship' || fields.some(({ many }) => many))
      return [{ path, field: null }];
    const targets = typesOf(new Set(fields.flatMap(({ references }) => references ?? [])), catalogue);
    return [
      ...fieldsOf(targets).map((field) => ({ path, field })),
      ...below(step.next, targets, catalogue, path),
    ];
  });
}

/**
 * The fields in the order of the paths and of their schemas.
 * @throws DomainError `validation_failed` for unknown paths
 */
export const expandedFields = (
  entityType: string,
  paths: string,
  catalogue: SchemaCatalogue,
): readonly ExpandedField[] =>
  below(readPaths(paths, [entityType], catalogue), typesOf([entityType], catalogue), catalogue, []);

/** @throws DomainError `validation_failed` for unknown paths, and for those that lead to lists */
export function requireSingle(entityType: string, paths: string, catalogue: SchemaCatalogue): void {
  const list = expandedFields(entityType, paths, catalogue).find(({ field }) => field === null);
  if (list !== undefined)
    throw invalid(
      `expand of an export follows single references, and ${list.path.join('.')} leads to a list`,
      {
        field: 'expand',
      },
    );
}
