// Finds entities by fields, words or CEL, in an order, at a time (docs/reference/metadata.md#listing,
// docs/reference/metadata.md#client-operations).
import { type CallOptions, instantOf, type Timestamp } from './call-options.ts';
import type { Core } from './core.ts';
import { ENTITY, type Entity, EXPANDED, type OwnField } from './entity.ts';
import { ValidationError } from './errors/errors.ts';
import { type ExpandOptions, withExpansion } from './expansion.ts';
import { Listing, type PageRequest } from './listing.ts';
import type { Transport } from './transport/transport.ts';

export type FieldValue = string | number | boolean;

/** Fields and their required values; a list matches any of its values. */
export type FieldFilters<Data extends object> = {
  readonly [Field in (keyof Data & string) | OwnField]?: FieldValue | readonly FieldValue[];
};

/** A leading `-` sorts in descending order. */
export type Order = `${'' | '-'}${'createdAt' | 'updatedAt' | 'id' | `data.${string}`}`;

export interface QueryOptions extends CallOptions, ExpandOptions {
  /**
   * A CEL expression over `data`, `id`, `entity_type`, `version`, `is_available`, `created_at`, `updated_at`.
   * Numbers in `data` are doubles.
   */
  readonly filter?: string | undefined;
  /** Words that the entities' texts contain, the last one also as a prefix; the order is that of the list. */
  readonly q?: string | undefined;
  /** Default: `createdAt`. */
  readonly orderBy?: Order | undefined;
  /** Includes entities that are not available. */
  readonly includeUnavailable?: boolean | undefined;
  /** Reads the state at this time. Later writes are not visible. */
  readonly asOf?: Timestamp | undefined;
  /** Entities per request, 1 to 1000, default 200. */
  readonly pageSize?: number | undefined;
}

export interface Queries {
  /**
   * Returns entities of a type and its subtypes, read page by page: `for await (const entity of
   * client.query(…))`.
   * @throws ValidationError, SchemaError when it is read
   */
  query<Data extends object = Record<string, unknown>>(
    entityType: string,
    fields?: FieldFilters<Data>,
    options?: QueryOptions,
  ): Query<Data>;
}

const ARGUMENTS =
  '$entityType: String!, $filter: String, $q: String, $fields: [FieldFilter!], $includeUnavailable: Boolean, $asOf: DateTime';
const PASSED =
  'entityType: $entityType, filter: $filter, q: $q, fields: $fields, includeUnavailable: $includeUnavailable, asOf: $asOf';
const page = (
  more: string,
  item: string,
): string => `query QueryEntities(${ARGUMENTS}, $orderBy: String, $limit: Int, $cursor: String${more}) {
  entities(${PASSED}, orderBy: $orderBy, limit: $limit, cursor: $cursor) { items { ${item} } nextCursor } }`;
const PAGE = page('', ENTITY);
const EXPANDED_PAGE = page(', $expand: String!', EXPANDED);
const COUNT = `query CountEntities(${ARGUMENTS}) { entities(${PASSED}, limit: 1) { total } }`;

/** Returns a value as text for the comparison with a field; numbers as in JSON. @throws ValidationError */
function textForm(value: unknown, name: string): string {
  if (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    Number.isFinite(value)
  )
    return String(value);
  const advice = value === null ? `; use the filter data.${name} == null` : '';
  throw new ValidationError(
    `${name}: ${typeof value === 'object' && value !== null ? 'an object' : String(value)} cannot be the value of a field${advice}`,
    { code: 'LOCAL_VALIDATION', details: { field: name } },
  );
}

/** Converts the timestamps' names to those of the server; other names are unchanged. */
const ordered = (orderBy: Order | undefined): string | undefined =>
  orderBy?.replace(/^(-?)(created|updated)At$/, '$1$2_at');

function fieldsOf(filters: object): { name: string; values: string[] }[] {
  return Object.entries(filters).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return [{ name, values: values.map((one) => textForm(one, name)) }];
  });
}

/** The entities that a query finds. Each iteration sends new requests. */
export class Query<Data extends object> extends Listing<Entity<Data>> {
  readonly #count: () => Promise<number>;

  constructor(
    transport: Transport,
    entityType: string,
    fields: object,
    { pageSize, orderBy, filter, q, includeUnavailable, asOf, expand, ...options }: QueryOptions,
  ) {
    const asked = () => ({
      entityType,
      filter,
      q,
      fields: fieldsOf(fields),
      includeUnavailable,
      asOf: instantOf(asOf),
    });
    super(async ({ limit, cursor }: PageRequest) => {
      const { entities } = await transport.send<{
        entities: { items: Entity<Data>[]; nextCursor: string | null };
      }>(
        { document: expand === undefined ? PAGE : EXPANDED_PAGE, safety: 'read' },
        { ...asked(), orderBy: ordered(orderBy), limit, cursor, expand: expand?.join(',') },
        options,
      );
      return { ...entities, items: entities.items.map(withExpansion) };
    }, pageSize);
    this.#count = async () =>
      (
        await transport.send<{ entities: { total: number } }>(
          { document: COUNT, safety: 'read' },
          asked(),
          options,
        )
      ).entities.total;
  }

  /** Returns the number of all matching entities, independent of pages. */
  count(): Promise<number> {
    return this.#count();
  }
}

export const queriesOf = ({ transport }: Core): Queries => ({
  query: (entityType, fields = {}, options = {}) => new Query(transport, entityType, fields, options),
});
