// Finding entities: by fields, by CEL, in an order, at a time (spec 2, `query`).
import { type CallOptions, instantOf, type Timestamp } from './call-options.ts';
import type { Core } from './core.ts';
import { ENTITY, type Entity } from './entity.ts';
import { ValidationError } from './errors/errors.ts';
import { Listing, type PageRequest } from './listing.ts';
import type { Transport } from './transport/transport.ts';

export type FieldValue = string | number | boolean;

/** What every entity has beside its data, under the names of spec 2. */
type OwnField = 'id' | 'version' | 'project' | 'is_available';

/** Fields and the value that each must have; a list means any of them. */
export type FieldFilters<Data extends object> = { readonly [Field in (keyof Data & string) | OwnField]?: FieldValue | readonly FieldValue[] };

export interface QueryOptions extends CallOptions {
  /** A CEL expression over `data`, `id`, `entity_type`, `version`, `is_available`, `created_at`, `updated_at`. Numbers of `data` are doubles. */
  readonly filter?: string | undefined;
  /** `createdAt` (default), `updatedAt`, `id` or `data.<field>`, with a leading `-` for descending; several by comma. */
  readonly orderBy?: string | undefined;
  /** Also those that are not available. */
  readonly includeUnavailable?: boolean | undefined;
  /** What the same query would have answered at that time: nothing that is written meanwhile shows. */
  readonly asOf?: Timestamp | undefined;
  /** Entities a request, 1 to 1000, default 200. */
  readonly pageSize?: number | undefined;
}

export interface Queries {
  /** Entities of a type and its subtypes, read page by page: `for await (const entity of client.query(…))`. @throws ValidationError, SchemaError when it is read */
  query<Data extends object = Record<string, unknown>>(entityType: string, fields?: FieldFilters<Data>, options?: QueryOptions): Query<Data>;
}

const ARGUMENTS = '$entityType: String!, $filter: String, $fields: [FieldFilter!], $includeUnavailable: Boolean, $asOf: DateTime';
const PASSED = 'entityType: $entityType, filter: $filter, fields: $fields, includeUnavailable: $includeUnavailable, asOf: $asOf';
const PAGE = `query QueryEntities(${ARGUMENTS}, $orderBy: String, $limit: Int, $cursor: String) {
  entities(${PASSED}, orderBy: $orderBy, limit: $limit, cursor: $cursor) { items { ${ENTITY} } nextCursor } }`;
const COUNT = `query CountEntities(${ARGUMENTS}) { entities(${PASSED}, limit: 1) { total } }`;

/** The text form of a value, as fields are compared: a number as JSON writes it. @throws ValidationError */
function textForm(value: FieldValue, name: string): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ValidationError(`${name}: ${value} is no value of a field`, { code: 'LOCAL_VALIDATION', details: { field: name } });
  return String(value);
}

function fieldsOf(filters: object): { name: string; values: string[] }[] {
  return Object.entries(filters as Readonly<Record<string, FieldValue | readonly FieldValue[] | undefined>>).flatMap(([name, value]) => { // every FieldFilters is one
    if (value === undefined) return [];
    if (value === null) throw new ValidationError(`${name}: null is no value of a field; ask by filter: data.${name} == null`, { code: 'LOCAL_VALIDATION', details: { field: name } });
    const values = typeof value === 'object' ? value : [value];
    return [{ name, values: values.map((one) => textForm(one, name)) }];
  });
}

/** Entities that a query finds; each reading asks anew. */
export class Query<Data extends object> extends Listing<Entity<Data>> {
  readonly #count: () => Promise<number>;

  constructor(transport: Transport, entityType: string, fields: object, { pageSize, orderBy, filter, includeUnavailable, asOf, ...options }: QueryOptions) {
    const asked = () => ({ entityType, filter, fields: fieldsOf(fields), includeUnavailable, asOf: instantOf(asOf) });
    super(async ({ limit, cursor }: PageRequest) => {
      const { entities } = await transport.send<{ entities: { items: Entity<Data>[]; nextCursor: string | null } }>(
        { document: PAGE, safety: 'read' }, { ...asked(), orderBy, limit, cursor }, options,
      );
      return entities;
    }, pageSize);
    this.#count = async () => (await transport.send<{ entities: { total: number } }>({ document: COUNT, safety: 'read' }, asked(), options)).entities.total;
  }

  /** How many there are, whatever the page. */
  count(): Promise<number> {
    return this.#count();
  }
}

export const queriesOf = ({ transport }: Core): Queries => ({
  query: (entityType, fields = {}, options = {}) => new Query(transport, entityType, fields, options),
});
