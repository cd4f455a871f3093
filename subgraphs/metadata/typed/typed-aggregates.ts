// Aggregates and facets in the types of schemas: what is measured follows from what is selected.
import {
  type FieldNode,
  getArgumentValues,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { invalid } from '../../../platform/errors.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { AggregateRequest, AggregateSlice, EntityGroups } from '../aggregates/aggregates.service.ts';
import type { Group } from '../aggregates/aggregates.store.ts';
import { type Period, widthOf } from '../aggregates/buckets.ts';
import type { Facet } from '../aggregates/facets.store.ts';
import { selectsOnly, warned } from '../entities/entities.resolvers.ts';
import type { Explanation } from '../entities/entities.service.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { wordOf } from './typed-names.ts';
import { filterOf, type ScopeArgs } from './typed-reads.ts';
import type { TypedField, TypedType } from './typed-types.ts';

export type MeasureContext = OperationContext & AggregateSlice & TimeSlice;

interface Key {
  readonly field: string;
  readonly period?: Period | null;
  readonly width?: number | null;
}
interface AggregateArgs extends ScopeArgs {
  readonly groupBy: readonly Key[];
  readonly having?: string | null;
  readonly limit?: number | null;
  readonly offset?: number | null;
}
interface FacetsArgs extends ScopeArgs {
  readonly of: readonly string[];
  readonly limit?: number | null;
}

/** A field's own name, of its word in the enum. */
function fieldOf({ fields }: TypedType, word: string): TypedField {
  const found = fields.find(({ name }) => wordOf(name) === word);
  if (!found) throw new Error(`no field ${word}`);
  return found;
}

/** The key's name, as the service has it. @throws DomainError `validation_failed` */
function labelOf(type: TypedType, { field, period = null, width = null }: Key): string {
  const { name } = fieldOf(type, field).definition;
  if (period !== null && width !== null)
    throw invalid('groupBy: give either a period or a width', { field: name });
  if (period !== null) return `${name}:${period.toLowerCase()}`;
  if (width === null) return name;
  const bucket = widthOf(width);
  return 'width' in bucket ? `${name}:${bucket.width}` : name;
}

/** The fields of a selection, those of fragments included. */
function fieldsIn(sets: readonly (SelectionSetNode | undefined)[], info: GraphQLResolveInfo): FieldNode[] {
  return sets.flatMap((set) =>
    (set?.selections ?? []).flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node];
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : info.fragments[node.name.value];
      return fieldsIn([fragment?.selectionSet], info);
    }),
  );
}
const below = (nodes: readonly FieldNode[], name: string, info: GraphQLResolveInfo): FieldNode[] =>
  fieldsIn(
    nodes.map(({ selectionSet }) => selectionSet),
    info,
  ).filter((node) => node.name.value === name);

const MEASURES: ReadonlySet<string> = new Set(['key', '__typename']);

/** The fields of which something is measured, and the shares of which percentiles are asked. */
function measured(
  type: TypedType,
  info: GraphQLResolveInfo,
): { readonly of: readonly string[]; readonly percentiles: readonly number[] } {
  const measures = info.schema.getType('NumberMeasures');
  const definition = isObjectType(measures) ? measures.getFields()['percentiles'] : undefined;
  const of: string[] = [];
  const percentiles: number[] = [];
  const groups = below(below(info.fieldNodes, 'groups', info), 'fields', info);
  for (const { name, definition: field } of type.fields) {
    const selected = fieldsIn(
      below(groups, name, info).map(({ selectionSet }) => selectionSet),
      info,
    );
    if (selected.some((node) => !MEASURES.has(node.name.value))) of.push(field.name);
    for (const node of selected)
      if (definition && node.name.value === 'percentiles')
        percentiles.push(...(getArgumentValues(definition, node, info.variableValues)['at'] as number[])); // by its SDL
  }
  return { of, percentiles };
}

/** A group, and the labels of what it is grouped by. */
interface TypedGroup extends Group {
  readonly labels: ReadonlyMap<string, string>;
}

export const aggregateResolver =
  (type: TypedType): GraphQLFieldResolver<unknown, MeasureContext> =>
  async (_, args: AggregateArgs, { aggregates, timeline, caller, extensions }, info) => {
    const labels = new Map(
      args.groupBy.map((key) => [fieldOf(type, key.field).definition.name, labelOf(type, key)]),
    );
    if (labels.size < args.groupBy.length)
      throw invalid('groupBy takes each field once', { field: 'groupBy' });
    const request: AggregateRequest = {
      entityType: type.schema,
      filter: filterOf(type, args),
      fields: [],
      groupBy: [...labels.values()],
      ...measured(type, info),
      having: args.having ?? null,
      includeUnavailable: args.includeUnavailable ?? false,
      at: await timeline.moment(args.asOf),
      limit: args.limit ?? 100,
      offset: args.offset ?? 0,
    };
    const explanation = async (): Promise<Explanation> =>
      warned(await aggregates.explain(request, caller), extensions);
    if (selectsOnly(info.fieldNodes, 'explanation')) return { explanation };
    const found: EntityGroups = await aggregates.groups(request, caller);
    const { groups, total } = warned(found, extensions);
    return {
      explanation,
      totalCount: total,
      groups: groups.map((group) => ({
        count: group.count,
        fields: { ...group, labels } satisfies TypedGroup,
      })),
    };
  };

export const facetsResolver =
  (type: TypedType): GraphQLFieldResolver<unknown, MeasureContext> =>
  async (_, args: FacetsArgs, { aggregates, timeline, caller, extensions }): Promise<readonly Facet[]> => {
    const found = await aggregates.facets(
      {
        entityType: type.schema,
        filter: filterOf(type, args),
        fields: [],
        of: args.of.map((word) => fieldOf(type, word).definition.name),
        includeUnavailable: args.includeUnavailable ?? false,
        at: await timeline.moment(args.asOf),
        limit: args.limit ?? 10,
      },
      caller,
    );
    return warned(found, extensions).facets;
  };

type Measures = Readonly<Record<string, unknown>>;

/** `key` and what is measured of each field, in a group. */
export const measureResolvers = ({
  fields,
}: TypedType): Readonly<Record<string, GraphQLFieldResolver<TypedGroup, MeasureContext>>> =>
  Object.fromEntries(
    fields.map(({ name, definition }) => [
      name,
      ({ key, labels, measures }: TypedGroup) => {
        const label = labels.get(definition.name);
        const own = measures[definition.name] as Measures | undefined; // as the statement builds it
        return {
          ...own,
          key: label === undefined ? null : (key[label] ?? null),
          countDistinct: own?.['distinct'],
          shares: (own?.['percentiles'] as Measures | undefined) ?? {}, // likewise
        };
      },
    ]),
  );

/** Percentiles of the measures of a number, by the shares that were asked. */
export const numberMeasureResolvers = {
  percentiles: ({ shares }: { readonly shares: Measures }, { at }: { readonly at: readonly number[] }) =>
    at.map((share) => shares[String(share)] ?? null),
};
