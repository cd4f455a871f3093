// The effect of a schema change on stored data: data must not contradict it, unique values are recorded,
// search words are updated.
import { isSearched, searchText } from '../search-text.ts';
import type { SchemaRule } from '../schema-model/definition.ts';
import { dataFaults, type EntityData, type EntityType } from '../schema-model/entity-type.ts';
import { instantFaults } from '../schema-model/instants.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { projectOf } from '../entities/project-of.ts';
import type { Migration, StoredData } from './migration.ts';
import { type UniqueKey, uniqueKeys } from '../schema-model/unique-key.ts';

type Meets = (data: EntityData) => boolean;
export type StateRule = (expression: string) => Meets | null;
interface FreshRule {
  readonly rule: SchemaRule;
  readonly meets: Meets;
}

export interface StoredChange {
  readonly before: SchemaCatalogue;
  readonly after: SchemaCatalogue;
  readonly types: readonly string[];
  /** Whether the fields allow less than before. */
  readonly narrows: boolean;
  readonly stateRule: StateRule;
}

/** Rules that stored data has not been checked against, by type. */
function freshRules({ before, after, types, stateRule }: StoredChange): Map<string, FreshRule[]> {
  const fresh = new Map<string, FreshRule[]>();
  for (const name of types) {
    const known = new Set(before.get(name)?.rules.map((rule) => rule.expression));
    const rules = (after.get(name)?.rules ?? [])
      .filter((rule) => !known.has(rule.expression))
      .flatMap((rule): FreshRule[] => {
        const meets = stateRule(rule.expression);
        return meets === null ? [] : [{ rule, meets }];
      });
    if (rules.length > 0) fresh.set(name, rules);
  }
  return fresh;
}

/** Types whose entities have other searchable fields than before; a new field has no stored words. */
function rewordedTypes({ before, after, types }: StoredChange): Set<string> {
  const differs = (was: EntityType | undefined, is: EntityType | undefined): boolean =>
    [...(is?.fields.values() ?? [])].some((field) => {
      const old = was?.fields.get(field.name);
      return old !== undefined && isSearched(old) !== isSearched(field);
    });
  return new Set(types.filter((name) => differs(before.get(name), after.get(name))));
}

/** Why stored data contradicts a change. */
export interface StoredFault {
  readonly message: string;
  readonly entityId: string;
  readonly field: string | null;
  readonly ruleId: string | null;
  /** Of the entities that it names. */
  readonly projects: readonly (string | null)[];
  /** The entity that has the same value of a unique field. */
  readonly sharedWith?: string;
}

/** The first fault of one entity by the new schema. */
function contradictionOf(
  { id, entityType, data }: StoredData,
  type: EntityType,
  fresh: readonly FreshRule[],
  before: SchemaCatalogue,
): Omit<StoredFault, 'projects'> | undefined {
  const fault = dataFaults(type, data)[0];
  if (fault) return { message: fault.message, entityId: id, field: fault.field, ruleId: null };
  const unkept = instantFaults(type, data).otherwise.find(
    (field) => before.get(entityType)?.fields.get(field)?.type !== 'datetime',
  );
  if (unkept !== undefined)
    return {
      message: `field ${unkept} is not stored as an instant, in UTC with microseconds`,
      entityId: id,
      field: unkept,
      ruleId: null,
    };
  const unmet = fresh.find(({ meets }) => !meets(data))?.rule;
  return unmet && { message: unmet.message, entityId: id, field: null, ruleId: unmet.ruleId };
}

/**
 * Scans the stored entities of the types that the change concerns, and updates what is kept beside them. Each
 * entity that contradicts the new schema is told once.
 */
export async function* checkStored(migration: Migration, change: StoredChange): AsyncGenerator<StoredFault> {
  const { before, after, types, narrows } = change;
  const [fresh, reworded] = [freshRules(change), rewordedTypes(change)];
  if (!narrows && fresh.size === 0 && reworded.size === 0) return;
  const scopes = (catalogue: SchemaCatalogue): Map<string, { scope: string; field: string }> =>
    new Map(
      types
        .flatMap((t) => catalogue.get(t)?.uniqueFields ?? [])
        .map((u) => [JSON.stringify([u.scope, u.field]), u]),
    );
  const [old, now] = [scopes(before), scopes(after)];
  for (const [key, { scope, field }] of old) if (!now.has(key)) await migration.dropUniques(scope, field);
  const unique = new Set([...now.keys()].filter((key) => !old.has(key)));
  const holders = new Map<string, { readonly id: string; readonly project: string | null }>();

  for await (const page of migration.stored(types)) {
    const keys: (UniqueKey & { entityId: string })[] = [];
    const words: { id: string; words: string }[] = [];
    for (const stored of page) {
      const { id, entityType, data } = stored;
      const [was, type] = [before.get(entityType), after.get(entityType)];
      if (!was || !type) continue;
      const project = projectOf(was, data);
      const contradiction = contradictionOf(stored, type, fresh.get(entityType) ?? [], before);
      if (contradiction) {
        yield { ...contradiction, projects: [project] };
        continue;
      }
      for (const key of uniqueKeys(type, data)) {
        if (!unique.has(JSON.stringify([key.scope, key.field]))) continue;
        const name = `${key.field}\u0000${key.hash.toString('base64')}`;
        const holder = holders.get(name);
        if (holder !== undefined) {
          yield {
            message: `field ${key.field} cannot be unique: entities ${holder.id} and ${id} have the same value`,
            entityId: id,
            field: key.field,
            ruleId: null,
            projects: [holder.project, project],
            sharedWith: holder.id,
          };
          continue;
        }
        holders.set(name, { id, project });
        keys.push({ ...key, entityId: id });
      }
      if (reworded.has(entityType)) words.push({ id, words: searchText(type, data) });
    }
    await migration.takeUniques(keys);
    await migration.reword(words);
  }
}
