// Finding entities: by fields, by CEL, in an order, at a time (spec 2, `query`).
import { type CallOptions, instantOf, type Timestamp } from './call-options.ts';
import type { Core } from './core.ts';
import { ENTITY, type Entity, EXPANDED } from './entity.ts';
import { ValidationError } from './errors/errors.ts';
import { type ExpandOptions, withExpansion } from './expansion.ts';
import { Listing, type PageRequest } from './listing.ts';
import type { Transport } from './transport/transport.ts';

export type FieldValue = string | number | boolean;

/** What every entity has beside its data, under the names of spec 2. */
type OwnField = 'id' | 'version' | 'project' | 'is_available';

/** Fields and the value that each must have; a list means any of them. */
export type FieldFilters<Data extends object> = {
  readonly [Field in (keyof Data & string) | OwnField]?: FieldValue | readonly FieldValue[];
};

/** With a leading `-` for descending. */
export type Order = `${'' | '-'}${'createdAt' | 'updatedAt' | 'id' | `data.${string}`}`;

export interface QueryOptions extends CallOptions, ExpandOptions {
  /** A CEL expression over `data`, `id`, `entity_type`, `version`, `is_available`, `created_at`, `updated_at`. Numbers of `data` are doubles. */
  readonly filter?: string | undefined;
  /** Default: `createdAt`. */
  readonly orderBy?: Order | undefined;
  /** Also those that are not available. */
  readonly includeUnavailable?: boolean | undefined;
  /** What the same query would have answered at that time: nothing that is written meanwhile shows. */
  readonly asOf?: Timestamp | undefined;
  /** Entities a request, 1 to 1000, default 200. */
  readonly pageSize?: number | undefined;
}

export interface Queries {
  /** Entities of a type and its subtypes, read page by page: `for await (const entity of client.query(…))`. @throws ValidationError, SchemaError when it is read */
  query<Data extends object = Record<string, unknown>>(
    entityType: string,
    fields?: FieldFilters<Data>,
    options?: QueryOptions,
  ): Query<Data>;
}

const ARGUMENTS =
  '$entityType: String!, $filter: String, $fields: [FieldFilter!], $includeUnavailable: Boolean, $asOf: DateTime';
const PASSED =
  'entityType: $entityType, filter: $filter, fields: $fields, includeUnavailable: $includeUnavailable, asOf: $asOf';
const page = (
  more: string,
  item: string,
): string => `query QueryEntities(${ARGUMENTS}, $orderBy: String, $limit: Int, $cursor: String${more}) {
  entities(${PASSED}, orderBy: $orderBy, limit: $limit, cursor: $cursor) { items { ${item} } nextCursor } }`;
const PAGE = page('', ENTITY);
const EXPANDED_PAGE = page(', $expand: String!', EXPANDED);
const COUNT = `query CountEntities(${ARGUMENTS}) { entities(${PASSED}, limit: 1) { total } }`;

/** The text form of a value, as fields are compared: a number as JSON writes it. @throws ValidationError */
function textForm(value: unknown, name: string): string {
  if (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'bigint' ||
    Number.isFinite(value)
  )
    return String(value);
  const advice = value === null ? `; ask by filter: data.${name} == null` : '';
  throw new ValidationError(
    `${name}: ${typeof value === 'object' && value !== null ? 'an object' : String(value)} is no value of a field${advice}`,
    { code: 'LOCAL_VALIDATION', details: { field: name } },
  );
}

/** The times' names as the server spells them; all else as it is. */
const ordered = (orderBy: Order | undefined): string | undefined =>
  orderBy?.replace(/^(-?)(created|updated)At$/, '$1$2_at');

function fieldsOf(filters: object): { name: string; values: string[] }[] {
  return Object.entries(filters).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return [{ name, values: values.map((one) => textForm(one, name)) }];
  });
}

/** Entities that a query finds; each reading asks anew. */
export class Query<Data extends object> extends Listing<Entity<Data>> {
  readonly #count: () => Promise<number>;

  constructor(
    transport: Transport,
    entityType: string,
    fields: object,
    { pageSize, orderBy, filter, includeUnavailable, asOf, expand, ...options }: QueryOptions,
  ) {
    const asked = () => ({
      entityType,
      filter,
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

  /** How many there are, whatever the page. */
  count(): Promise<number> {
    return this.#count();
  }
}

export const queriesOf = ({ transport }: Core): Queries => ({
  query: (entityType, fields = {}, options = {}) => new Query(transport, entityType, fields, options),
});
