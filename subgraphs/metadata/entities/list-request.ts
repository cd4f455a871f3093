// What a listing may be asked, and the page that it comes to: names checked against the schemas, before
// anything runs.
import { parameterColumn } from '../../../platform/entity-columns.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { checkPage } from '../../../platform/paging.ts';
import { type CompiledFilter, compileFilter } from '../filters/compile-filter.ts';
import { compileFieldFilter } from '../filters/field-filter.ts';
import { type IndexKind, indexKind } from '../schema-model/field-index.ts';
import { compileOrder, compileOrderApart, type OrderKey } from '../reading/order.ts';
import type { RangedField } from '../filters/ranged-fields.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import { isInstant, unknownField } from '../schema-model/known-fields.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { Moment } from '../reading/timeline.ts';
import { typeNamed } from './entity-writes.ts';
import { orderOfCursor, readCursor } from './page-cursor.ts';
import type { Condition, PageRequest } from '../reading/page-request.ts';

export interface FieldFilter {
  readonly name: string;
  readonly values: readonly string[];
}

export interface ListRequest {
  readonly entityType: string | null;
  readonly filter: string | null;
  /** The words of a search; null and empty for none. */
  readonly q?: string | null;
  readonly fields: readonly FieldFilter[];
  readonly limit: number;
  readonly offset: number;
  readonly cursor: string | null;
  readonly orderBy: string | null;
  /** The page that ends before the cursor, or at the very end: rows arrive in reverse order. */
  readonly backwards?: boolean;
  readonly includeUnavailable: boolean;
  /** Null for the present. */
  readonly at: Moment;
}

export interface PlannedPage extends PageRequest {
  /** Identifies the order in a cursor: a cursor of another order is refused. */
  readonly orderName: string;
  /** The filter, if a part of it is checked row by row. */
  readonly residual: CompiledFilter | null;
  /** Warnings about names that the schemas do not have. */
  readonly warnings: readonly string[];
  /** Data fields with a range condition in the filter; null if there are none. */
  readonly ranges: readonly RangedField[] | null;
}

/** `project` is both a scope and a field: if the type has no such field it is not a filter. */
const asFilters = (type: EntityType | null, fields: readonly FieldFilter[]): readonly FieldFilter[] =>
  type === null || type.hasProject ? fields : fields.filter((f) => f.name !== 'project');

/** Mark cursors of an order by an index: it may differ from the order of the same name without the index. */
const BY_INDEX = ' by index';
const BY_INDEX_APART = ' by index, values apart';

interface NamedOrder {
  readonly order: readonly OrderKey[];
  readonly orderName: string;
}

/** The index kind of a field, if it is the same for the type and all its subtypes, and `counts` for each. */
const kindAmong =
  (type: EntityType | null, catalogue: SchemaCatalogue, counts: (field: FieldDefinition) => boolean) =>
  (name: string): IndexKind | null => {
    const kinds = (type?.selfAndSubtypes ?? []).map((one) => {
      const field = catalogue.get(one)?.fields.get(name);
      return field !== undefined && counts(field) ? indexKind(field) : null;
    });
    return kinds.every((kind) => kind === kinds[0]) ? (kinds[0] ?? null) : null;
  };

/**
 * The forms of an order: without an index, then by an index over a data field where there is one, the preferred first.
 * @throws DomainError `validation_failed`
 */
function ordersOf(
  { orderBy, at }: ListRequest,
  type: EntityType | null,
  catalogue: SchemaCatalogue,
): readonly [NamedOrder, ...NamedOrder[]] {
  const fields = type?.fields ?? null;
  const orderName = orderBy ?? '';
  const plain = { order: compileOrder(orderBy, fields), orderName };
  if (at !== null) return [plain];
  const everyHas = kindAmong(type, catalogue, ({ required }) => required);
  const always = compileOrder(orderBy, fields, everyHas);
  const apart = compileOrderApart(
    orderBy,
    fields,
    kindAmong(type, catalogue, () => true),
  );
  return [
    plain,
    ...(always.some((key) => key.indexed) ? [{ order: always, orderName: orderName + BY_INDEX }] : []),
    ...(apart === null ? [] : [{ order: apart, orderName: orderName + BY_INDEX_APART }]),
  ];
}

/**
 * Rows are taken from the index until there are enough: with conditions of whose matches the planner knows
 * little, that may be all of them, one by one.
 */
const isForeseen = (conditions: readonly Condition[]): boolean =>
  conditions.every(({ uses }) => uses.has('containment'));

/** A cursor continues in the form that it began in. */
function orderFor(
  [plain, ...byIndex]: readonly [NamedOrder, ...NamedOrder[]],
  cursor: string | null,
  foreseen: boolean,
): NamedOrder {
  const begun = cursor === null ? null : orderOfCursor(cursor);
  return (
    [plain, ...byIndex].find(({ orderName }) => orderName === begun) ??
    byIndex.find(({ order }) => order[0]?.apart === undefined || foreseen) ??
    plain
  );
}

const NO_WARNINGS: readonly string[] = [];
const MAX_WARNINGS = 10;

function warningsOf(
  catalogue: SchemaCatalogue,
  type: EntityType | null,
  filter: CompiledFilter | null,
  fields: readonly FieldFilter[],
): readonly string[] {
  const inFilter =
    type === null || filter === null
      ? []
      : [
          ...filter.dataFields.flatMap((name) => unknownField(catalogue, type, name) ?? []),
          ...filter.timedFields
            .filter((name) => isInstant(catalogue, type, name))
            .map(
              (name) => `${name} is a datetime, which is a string in CEL: compare timestamp(data.${name})`,
            ),
        ];
  const parameters =
    type === null
      ? fields.flatMap(({ name }) =>
          parameterColumn(name) === null ? (unknownField(catalogue, null, name) ?? []) : [],
        )
      : []; // of a named type they are refused
  return [...inFilter.map((said) => `filter: ${said}`), ...parameters].slice(0, MAX_WARNINGS);
}

/** @throws DomainError `validation_failed` */
export function planPage(request: ListRequest, catalogue: SchemaCatalogue, identity: Identity): PlannedPage {
  checkPage(request, invalid);
  const { entityType, filter: filterText, cursor } = request;
  const type = entityType === null ? null : typeNamed(catalogue, entityType);
  const orders = ordersOf(request, type, catalogue);
  const fields = asFilters(type, request.fields);
  const conditions: Condition[] = [];
  let namesAvailability = false;
  if (fields.length > 0) {
    const compiled = compileFieldFilter(type?.fields ?? null, fields);
    conditions.push(compiled);
    namesAvailability = compiled.mentions('is_available');
  }
  const filter = filterText === null || filterText === '' ? null : compileFilter(filterText);
  if (filter) {
    conditions.push(filter);
    namesAvailability ||= filter.mentions('is_available');
  }
  const { order: forwards, orderName } = orderFor(orders, cursor, !request.q && isForeseen(conditions));
  const order =
    request.backwards === true ? forwards.map((key) => ({ ...key, descending: !key.descending })) : forwards;
  const after =
    cursor === null
      ? null
      : readCursor(
          orderName,
          order.map((k) => k.type),
          cursor,
        );
  if (after !== null && after.at === null && request.at !== null)
    throw invalid('cursor comes from a list of the present, not from one with as_of');
  return {
    types: type?.selfAndSubtypes ?? null,
    conditions,
    availableOnly: !request.includeUnavailable && !namesAvailability,
    identity,
    order,
    orderName,
    warnings:
      filter === null && fields.length === 0 ? NO_WARNINGS : warningsOf(catalogue, type, filter, fields),
    residual: filter === null || filter.exact ? null : filter,
    ranges: filter === null || filter.ranges.length === 0 ? null : filter.ranges,
    limit: request.limit,
    offset: cursor === null ? request.offset : 0,
    after: after?.keys ?? null,
    at: after?.at ?? request.at, // a cursor carries its moment with it
  };
}
