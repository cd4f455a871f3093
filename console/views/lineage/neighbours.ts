// What an entity comes from, and what comes from it: references, relationships, productions and runs.
import { ask } from '../../api/client.ts';
import { type Data, isData } from '../../api/json.ts';
import { type Operation, operation } from '../../api/operation.ts';
import type {
  LineageQuery,
  LineageQueryVariables,
  LineageTypesQuery,
  MoreReferringQuery,
  MoreReferringQueryVariables,
} from '../../generated/api.ts';
import type { Known, Neighbour } from './known.ts';
import { isWork, producedBy, selfOf, worksOf } from './works.ts';

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
export const LINEAGE = operation<LineageQuery, LineageQueryVariables>(/* GraphQL */ `
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

/** Entities that refer by a field, as far as they have not been read. */
export interface Rest {
  readonly of: string;
  readonly type: string;
  readonly field: string;
  readonly filter: string;
  readonly total: number;
  readonly read: number;
  readonly cursor: string;
}

export interface Neighbours {
  readonly self: Known | undefined;
  readonly up: readonly Neighbour[];
  readonly down: readonly Neighbour[];
  readonly rests: readonly Rest[];
  /** Whether there are more productions and runs than were read. */
  readonly isCut: boolean;
}

/** What is read: as of when (undefined for the present), and whether productions and runs are boxes or arrows only. */
export interface Asked {
  readonly at: string | undefined;
  readonly types: Types;
  readonly isShort: boolean;
  /** Ends what is asked for. */
  readonly signal: AbortSignal;
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

interface Page {
  readonly items: readonly { id: string; entityType: string }[];
  readonly total: number | null;
  readonly nextCursor: string | null;
}
type Referring = Readonly<Record<string, Page | null>>;

/** Entities of each field that are read at first. */
const FIRST = 8;

/** Which fields of other types refer to it, and what finds the entities of each. */
function referringFields(self: Known, types: Types) {
  const id = JSON.stringify(self.id);
  return types.flatMap(({ name, allFields }) =>
    allFields
      .filter(({ references }) => references === self.type)
      .map((field) => ({
        type: name,
        field: field.name,
        filter: field.many
          ? `has(data.${field.name}) && ${id} in data.${field.name}`
          : `data.${field.name} == ${id}`,
      })),
  );
}

/** What asks for entities of other types whose fields refer to this one; undefined where no field could. */
export function referringRequest(
  self: Known,
  at: string | undefined,
  types: Types,
): readonly [Operation<Referring, Data>, Data] | undefined {
  const fields = referringFields(self, types);
  if (fields.length === 0) return undefined;
  const declared = fields.map((_, i) => `$t${i}: String, $f${i}: String`).join(', ');
  const parts = fields.map(
    (_, i) =>
      `  r${i}: entities(entityType: $t${i}, filter: $f${i}, limit: ${FIRST}, asOf: $at) { items { id entityType } total nextCursor }`,
  );
  const asked: Operation<Referring, Data> = operation(
    `query Referring(${declared}, $at: DateTime) {\n${parts.join('\n')}\n}`,
  );
  const variables = Object.fromEntries(
    fields.flatMap(({ type, filter }, i) => [
      [`t${i}`, type],
      [`f${i}`, filter],
    ]),
  );
  return [asked, { ...variables, at }];
}

/** Entities of other types whose fields refer to this one; at most a few of each field. */
async function referring(
  self: Known,
  { at, types, signal }: Asked,
): Promise<Pick<Neighbours, 'down' | 'rests'>> {
  const request = referringRequest(self, at, types);
  if (request === undefined) return { down: [], rests: [] };
  const fields = referringFields(self, types);
  const data = await ask(...request, signal);
  return {
    down: fields.flatMap(({ field }, i) =>
      (data[`r${i}`]?.items ?? []).map((one) => ({ id: one.id, type: one.entityType, by: field })),
    ),
    rests: fields.flatMap(({ type, field, filter }, i) => {
      const { total = null, nextCursor = null, items = [] } = data[`r${i}`] ?? {};
      return nextCursor === null
        ? []
        : [{ of: self.id, type, field, filter, total: total ?? 0, read: items.length, cursor: nextCursor }];
    }),
  };
}

export const MORE = operation<MoreReferringQuery, MoreReferringQueryVariables>(/* GraphQL */ `
  query MoreReferring($type: String!, $filter: String!, $cursor: String!, $at: DateTime) {
    entities(entityType: $type, filter: $filter, cursor: $cursor, limit: 1000, count: NONE, asOf: $at) {
      items {
        id
        entityType
      }
      nextCursor
    }
  }
`);

/** The next thousand. @throws ApiError */
export async function moreOf(
  rest: Rest,
  { at, signal }: Pick<Asked, 'at' | 'signal'>,
): Promise<{ readonly found: readonly Neighbour[]; readonly rest: Rest | undefined }> {
  const { type, filter, cursor, field } = rest;
  const { entities } = await ask(MORE, { type, filter, cursor, at: at ?? null }, signal);
  const { items, nextCursor } = entities;
  return {
    found: items.map(({ id, entityType }) => ({ id, type: entityType, by: field })),
    rest: nextCursor === null ? undefined : { ...rest, read: rest.read + items.length, cursor: nextCursor },
  };
}

/** Each by the first reason: what connects them directly comes before what was behind it. */
function once(neighbours: readonly Neighbour[]): readonly Neighbour[] {
  const known = new Map<string, Neighbour>();
  for (const one of neighbours) if (!known.has(one.id)) known.set(one.id, one);
  return [...known.values()];
}

const NOTHING: Neighbours = { self: undefined, up: [], down: [], rests: [], isCut: false };

async function ofWork(id: string, asked: Asked): Promise<Neighbours> {
  const { isThere, name, up, down, isCut } = await worksOf(id, { ...asked, isShort: false });
  if (!isThere) return NOTHING;
  return { self: selfOf(id, name), up: once(up), down: once(down), rests: [], isCut };
}

/** @throws ApiError */
export async function neighboursOf(id: string, asked: Asked): Promise<Neighbours> {
  if (isWork(id)) return ofWork(id, asked);
  const { at, types, isShort, signal } = asked;
  const [read, works] = await Promise.all([ask(LINEAGE, { id, at: at ?? null }, signal), worksOf(id, asked)]);
  const { entity } = read;
  if (entity === null) return NOTHING;
  const self = { id: entity.id, type: entity.entityType };
  const { producedBy: production } = entity;
  const referred = await referring(self, asked);
  const madeBy = ({ inputs, rule, id: made }: NonNullable<typeof production>): readonly Neighbour[] =>
    isShort ? inputsOf(inputs, rule ?? 'production') : [producedBy(made, rule)];
  return {
    self,
    isCut: works.isCut,
    up: once([
      ...referencesOf(entity.data, self.type, types),
      ...(production === null ? [] : madeBy(production)),
      ...works.up,
      ...read.out.items.flatMap(({ target, relationshipType: by }) =>
        target === null ? [] : [{ id: target.id, type: target.entityType, by }],
      ),
    ]),
    down: once([
      ...read.in.items.flatMap(({ source, relationshipType: by }) =>
        source === null ? [] : [{ id: source.id, type: source.entityType, by }],
      ),
      ...referred.down,
      ...works.down,
    ]),
    rests: referred.rests,
  };
}

function marked(now: readonly Neighbour[], then: readonly Neighbour[]): readonly Neighbour[] {
  const keyOf = ({ id, by }: Neighbour): string => JSON.stringify([id, by]);
  const [has, had] = [new Set(now.map(keyOf)), new Set(then.map(keyOf))];
  return [
    ...now.map((one) => (had.has(keyOf(one)) ? one : { ...one, change: 'added' as const })),
    ...then.filter((one) => !has.has(keyOf(one))).map((one) => ({ ...one, change: 'removed' as const })),
  ];
}

/** Neighbours at one time, marked by what they were at another. @throws ApiError */
export async function comparedNeighbours(id: string, asked: Asked, other: string): Promise<Neighbours> {
  const [now, then] = await Promise.all([neighboursOf(id, asked), neighboursOf(id, { ...asked, at: other })]);
  return {
    self: now.self ?? then.self,
    up: marked(now.up, then.up),
    down: marked(now.down, then.down),
    rests: now.rests,
    isCut: now.isCut || then.isCut,
  };
}
