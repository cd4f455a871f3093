// Builds the representations with which a subgraph is asked for its part of an entity (federation's
// `_entities`).
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { type GraphQLSchema, isObjectType } from 'graphql';
import { type Data, isData, mergeInto } from './merge.ts';
import { UnsupportedPlan } from './unsupported-plan.ts';

/** An entity's representation, or null if the entity is of another type or a key field is missing. */
export type Represent = (entity: Data) => Data | null;

/** Fields that belong together: if one is missing (its condition was false) the group is omitted. */
interface Group {
  readonly fields: readonly Required[];
  readonly groups: readonly Group[];
}
interface Required {
  readonly name: string;
  readonly nested: Group | null;
}

function groupOf(selections: readonly QueryPlanSelectionNode[], type: string | undefined): Group {
  const fields: Required[] = [];
  const groups: Group[] = [];
  for (const part of selections) {
    if (part.kind === 'Field') {
      if (part.alias !== undefined) throw new UnsupportedPlan('a required field with an alias');
      fields.push({
        name: part.name,
        nested: part.selections === undefined ? null : groupOf(part.selections, undefined),
      });
    } else {
      if (part.typeCondition !== undefined && part.typeCondition !== type)
        throw new UnsupportedPlan('a requirement on another type');
      groups.push(groupOf(part.selections, type));
    }
  }
  return { fields, groups };
}

function copy(from: Data, { fields, groups }: Group): Data | null {
  const to: Data = {};
  for (const { name, nested } of fields) {
    const value = from[name];
    if (value === undefined) return null;
    to[name] = nested === null ? value : copyNested(value, nested);
  }
  for (const group of groups) {
    const part = copy(from, group);
    if (part !== null) mergeInto(to, part);
  }
  return to;
}

function copyNested(value: unknown, group: Group): unknown {
  if (Array.isArray(value)) return value.map((item) => copyNested(item, group));
  return isData(value) ? copy(value, group) : value;
}

/** @throws UnsupportedPlan if a requirement is on an abstract type or contains conditions */
export function compileRepresentations(
  requires: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): Represent {
  const byType = new Map<unknown, Group[]>();
  for (const part of requires) {
    if (part.kind !== 'InlineFragment' || part.typeCondition === undefined)
      throw new UnsupportedPlan('a requirement without type');
    const type = schema.getType(part.typeCondition);
    if (!isObjectType(type)) throw new UnsupportedPlan('a requirement on an abstract type');
    byType.set(type.name, [...(byType.get(type.name) ?? []), groupOf(part.selections, type.name)]);
  }
  return (entity) => {
    const groups = byType.get(entity['__typename']);
    const known = groups === undefined ? null : copy(entity, { fields: [], groups });
    return known?.['__typename'] === undefined ? null : known;
  };
}
