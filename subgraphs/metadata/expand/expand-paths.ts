// Parses `expand=sample.donor,derived_from[]` into a tree (docs/reference/metadata.md#expand-paths).
import { invalid } from '../../../platform/errors.ts';
import { isWellFormed } from '../reading/constants.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import { meantReference } from '../schema-model/known-fields.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

const LIMITS = { depth: 5, steps: 50, characters: 4000 } as const;

/** One step of a path: a reference field, or, if there is no such field, a relationship type. */
export interface Step {
  readonly name: string;
  /** Written with `[]`. */
  readonly isList: boolean;
  readonly kind: 'reference' | 'relationship';
  /** The path from the entity as it was written, for warnings. */
  readonly path: string;
  readonly next: readonly Step[];
}

interface Written {
  readonly name: string;
  isList: boolean;
  readonly next: Map<string, Written>;
}

function read(paths: string): Map<string, Written> {
  if (paths.length > LIMITS.characters)
    throw invalid(`expand must be at most ${LIMITS.characters} characters`);
  const top = new Map<string, Written>();
  let steps = 0;
  for (const path of paths
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '')) {
    const parts = path.split('.');
    if (parts.length > LIMITS.depth)
      throw invalid(`expand paths must be at most ${LIMITS.depth} levels deep: ${path}`, { field: 'expand' });
    let here = top;
    for (const part of parts) {
      const isList = part.endsWith('[]');
      const name = isList ? part.slice(0, -2) : part;
      if (name === '' || !isWellFormed(name))
        throw invalid(`expand contains a path without a name: ${path}`, { field: 'expand' });
      let step = here.get(name);
      if (!step) {
        if (++steps > LIMITS.steps)
          throw invalid(`expand has more than ${LIMITS.steps} steps`, { field: 'expand' });
        here.set(name, (step = { name, isList, next: new Map() }));
      }
      step.isList ||= isList;
      here = step.next;
    }
  }
  return top;
}

const topsOf = (types: readonly EntityType[]): string[] => [
  ...new Set(types.map((type) => type.selfAndAncestors.at(-1) ?? type.name)),
];

/** Types under one topmost parent: a page of a type may contain any of them. */
function family(types: readonly EntityType[], catalogue: SchemaCatalogue): EntityType[] {
  return topsOf(types)
    .flatMap((top) => catalogue.get(top)?.selfAndSubtypes ?? [])
    .flatMap((name) => catalogue.get(name) ?? []);
}

function meantBy(name: string, types: readonly EntityType[], catalogue: SchemaCatalogue): string {
  const [top, another] = topsOf(types);
  const of = top !== undefined && another === undefined ? (catalogue.get(top) ?? null) : null;
  const meant = meantReference(catalogue, of, name);
  return meant === undefined ? `for relationships write ${name}[]` : `did you mean ${meant}?`;
}

function resolve(
  written: ReadonlyMap<string, Written>,
  types: readonly EntityType[],
  catalogue: SchemaCatalogue,
  before: string,
): Step[] {
  return [...written.values()].map(({ name, isList, next }): Step => {
    const path = `${before}${name}${isList ? '[]' : ''}`;
    const targets = types.flatMap((type) => type.fields.get(name)?.references ?? []);
    if (targets.length === 0 && !isList) {
      const names = [...new Set(types.map((type) => type.name))].slice(0, 5).join(', ');
      throw invalid(
        `unknown expand path ${path}: ${names} has no reference field ${name}; ${meantBy(name, types, catalogue)}`,
        { field: 'expand' },
      );
    }
    const kind = targets.length === 0 ? 'relationship' : 'reference';
    const reached =
      kind === 'relationship'
        ? [...catalogue.types()]
        : targets.flatMap((target) => catalogue.get(target) ?? []);
    return {
      name,
      isList,
      kind,
      path,
      next: resolve(
        next,
        kind === 'relationship' ? reached : family(reached, catalogue),
        catalogue,
        `${path}.`,
      ),
    };
  });
}

/**
 * Parses paths against the schemas, starting from entities of the types. Relationship types are not declared:
 * any name with `[]` that is not a field may be one.
 * @throws DomainError `validation_failed` for an unknown path, and for too many or too deep ones
 */
export function readPaths(
  paths: string,
  entityTypes: readonly string[],
  catalogue: SchemaCatalogue,
): readonly Step[] {
  const types = entityTypes.flatMap((name) => catalogue.get(name) ?? []);
  return resolve(read(paths), family(types, catalogue), catalogue, '');
}
