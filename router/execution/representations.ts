// Builds the representations by which a subgraph is asked for its part of an entity (federation's `_entities`).
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { type GraphQLSchema, isObjectType } from 'graphql';
import { type Data, isData } from './merge.ts';
import { UnsupportedPlan } from './unsupported-plan.ts';

/** An entity's representation, or null where the entity is of another type or a required field is missing. */
export type Represent = (entity: Data) => Data | null;

interface Required { readonly name: string; readonly nested: readonly Required[] | null }

function fieldsOf(selections: readonly QueryPlanSelectionNode[]): Required[] {
  return selections.map((s) => {
    if (s.kind !== 'Field' || s.alias !== undefined) throw new UnsupportedPlan('a required field with alias or type condition');
    return { name: s.name, nested: s.selections === undefined ? null : fieldsOf(s.selections) };
  });
}

function copy(from: Data, fields: readonly Required[]): Data | null {
  const to: Data = {};
  for (const { name, nested } of fields) {
    const value = from[name];
    if (value === undefined) return null;
    const part = nested === null ? value : copyNested(value, nested);
    if (part === undefined) return null;
    to[name] = part;
  }
  return to;
}

/** Undefined where something required is missing below. */
function copyNested(value: unknown, fields: readonly Required[]): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => copyNested(item, fields));
    return items.includes(undefined) ? undefined : items;
  }
  return isData(value) ? copy(value, fields) ?? undefined : value;
}

/** @throws UnsupportedPlan where a requirement is on an abstract type or has conditions inside */
export function compileRepresentations(requires: readonly QueryPlanSelectionNode[], schema: GraphQLSchema): Represent {
  const byType = new Map<unknown, Required[]>();
  for (const part of requires) {
    if (part.kind !== 'InlineFragment' || part.typeCondition === undefined) throw new UnsupportedPlan('a requirement without type');
    const type = schema.getType(part.typeCondition);
    if (!isObjectType(type)) throw new UnsupportedPlan('a requirement on an abstract type');
    byType.set(type.name, [...byType.get(type.name) ?? [], ...fieldsOf(part.selections)]);
  }
  return (entity) => {
    const fields = byType.get(entity['__typename']);
    return fields === undefined ? null : copy(entity, fields);
  };
}
