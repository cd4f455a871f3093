// What an entity comes from, and what comes from it: references, relationships, inputs of productions.
import { ask } from '../../api/client.ts';
import { type Data, isData } from '../../api/json.ts';
import { type Operation, operation } from '../../api/operation.ts';
import type { LineageQuery, LineageQueryVariables, LineageTypesQuery } from '../../generated/api.ts';

export const LINEAGE_TYPES = operation<LineageTypesQuery>(/* GraphQL */ `
  query LineageTypes {
    schemas {
      name
      allFields {
        name
        many
        references
      }
    }
  }
`);
const LINEAGE = operation<LineageQuery, LineageQueryVariables>(/* GraphQL */ `
  query Lineage($id: ID!, $at: DateTime) {
    entity(id: $id, asOf: $at) {
      id
      entityType
      data
      producedBy {
        id
        rule
        inputs
      }
    }
    out: findRelationships(sourceId: $id, asOf: $at, limit: 25) {
      items {
        relationshipType
        target {
          id
          entityType
        }
      }
    }
    in: findRelationships(targetId: $id, asOf: $at, limit: 25) {
      items {
        relationshipType
        source {
          id
          entityType
        }
      }
    }
  }
`);

export type Types = LineageTypesQuery['schemas'];

export interface Known {
  readonly id: string;
  readonly type: string;
}
export interface Neighbour extends Known {
  /** Why they are connected: a field, a relationship, a rule. */
  readonly by: string;
}
export interface Neighbours {
  readonly self: Known | undefined;
  readonly up: readonly Neighbour[];
  readonly down: readonly Neighbour[];
}

/** Entities among the inputs of a workflow, however deep: `{entity: {id, entityType}}`. */
function inputsOf(value: unknown, rule: string): readonly Neighbour[] {
  if (Array.isArray(value)) return value.flatMap((one) => inputsOf(one, rule));
  if (!isData(value)) return [];
  const { entity } = value;
  if (isData(entity) && typeof entity['id'] === 'string')
    return [
      {
        id: entity['id'],
        type: typeof entity['entityType'] === 'string' ? entity['entityType'] : '',
        by: rule,
      },
    ];
  return Object.values(value).flatMap((one) => inputsOf(one, rule));
}

function referencesOf(data: unknown, type: string, types: Types): readonly Neighbour[] {
  const fields = types.find(({ name }) => name === type)?.allFields ?? [];
  return fields.flatMap(({ name, references }) => {
    if (references === null || !isData(data)) return [];
    const ids = [data[name]].flat().filter((one) => typeof one === 'string');
    return ids.map((id) => ({ id, type: references, by: name }));
  });
}

type Referring = Readonly<
  Record<string, { readonly items: readonly { id: string; entityType: string }[] } | null>
>;

/** Entities of other types whose fields refer to this one; at most a few of each field. */
async function referring(self: Known, at: string | undefined, types: Types): Promise<readonly Neighbour[]> {
  const fields = types.flatMap(({ name, allFields }) =>
    allFields
      .filter(({ references }) => references === self.type)
      .map((field) => ({ type: name, field: field.name, many: field.many })),
  );
  if (fields.length === 0) return [];
  const declared = fields.map((_, i) => `$t${i}: String, $f${i}: String`).join(', ');
  const parts = fields.map(
    (_, i) =>
      `  r${i}: entities(entityType: $t${i}, filter: $f${i}, limit: 8, count: NONE, asOf: $at) { items { id entityType } }`,
  );
  const asked: Operation<Referring, Data> = operation(
    `query Referring(${declared}, $at: DateTime) {\n${parts.join('\n')}\n}`,
  );
  const id = JSON.stringify(self.id);
  const variables = Object.fromEntries(
    fields.flatMap(({ type, field, many }, i) => [
      [`t${i}`, type],
      [`f${i}`, many ? `has(data.${field}) && ${id} in data.${field}` : `data.${field} == ${id}`],
    ]),
  );
  const data = await ask(asked, { ...variables, at });
  return fields.flatMap(({ field }, i) =>
    (data[`r${i}`]?.items ?? []).map((one) => ({ id: one.id, type: one.entityType, by: field })),
  );
}

const once = (neighbours: readonly Neighbour[]): readonly Neighbour[] => [
  ...new Map(neighbours.map((one) => [one.id, one])).values(),
];

/** @throws ApiError */
export async function neighboursOf(id: string, at: string | undefined, types: Types): Promise<Neighbours> {
  const read = await ask(LINEAGE, { id, at: at ?? null });
  const { entity } = read;
  if (entity === null) return { self: undefined, up: [], down: [] };
  const self = { id: entity.id, type: entity.entityType };
  const { producedBy } = entity;
  return {
    self,
    up: once([
      ...referencesOf(entity.data, self.type, types),
      ...inputsOf(producedBy?.inputs, producedBy?.rule ?? 'production'),
      ...read.out.items.flatMap(({ target, relationshipType: by }) =>
        target === null ? [] : [{ id: target.id, type: target.entityType, by }],
      ),
    ]),
    down: once([
      ...read.in.items.flatMap(({ source, relationshipType: by }) =>
        source === null ? [] : [{ id: source.id, type: source.entityType, by }],
      ),
      ...(await referring(self, at, types)),
    ]),
  };
}
