// SQL of entity reads: by id, many requests in one statement, and in pages.
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { coalesce } from '../../../platform/coalesce.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import type { EntityRow } from './entity-record.ts';
import { ENTITY_ORDER, type OrderKey } from '../filters/order.ts';
import type { PageRequest, PageRow } from './page-request.ts';
import { visibleSql } from './visibility.ts';

const asText = { getTypeParser: () => (value: unknown) => value };
const COLUMNS = `e.id, e.entity_type, e.data, e.version, (c.timestamp AT TIME ZONE 'UTC')::text AS created_at, (u.timestamp AT TIME ZONE 'UTC')::text AS updated_at, e.is_available, e.project`;
const EVENTS = `JOIN metadata.provenance c ON c.position = e.first_event JOIN metadata.provenance u ON u.position = e.last_event`;

function manySql(identity: Identity, params: unknown[]): string {
  return `SELECT ${COLUMNS} FROM metadata.entity e ${EVENTS} WHERE e.id = ANY($1::text[]) AND ${visibleSql(identity, 'e', params)}`;
}

export class EntityStore {
  readonly #pool: Pool;
  /** A coalescing reader per set of projects: what one request may see never answers another with other rights. */
  readonly #readers = new LRUCache<string, (id: string) => Promise<EntityRow | null>>({ max: 500 });

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** One entity that the identity may see; requests of one tick share a statement. */
  find(id: string, identity: Identity): Promise<EntityRow | null> {
    const key = visibilityKey(identity);
    let reader = this.#readers.get(key);
    if (!reader) {
      const projects = identity.projects;
      reader = coalesce((ids) => this.findMany(ids, { ...identity, projects }), { max: 64, inFlight: 2 });
      this.#readers.set(key, reader);
    }
    return reader(id);
  }

  /** By position: the entity of each id, null where there is none or it may not be seen. */
  async findMany(ids: readonly string[], identity: Identity): Promise<(EntityRow | null)[]> {
    const values: unknown[] = [ids];
    const text = manySql(identity, values);
    const { rows } = await this.#pool.query<EntityRow>({ name: values.length === 1 ? 'entities-all' : 'entities-scoped', text, values, types: asText });
    if (rows.length === 1 && ids.length === 1) return [rows[0] ?? null];
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** One page, in order. */
  async page(request: PageRequest): Promise<PageRow[]> {
    const values: unknown[] = [];
    const text = pageSql(request, values);
    const { rows } = await this.#pool.query<PageRow>({ text, values, types: asText, ...(request.conditions.length === 0 ? { name: nameOf(text) } : {}) });
    return rows;
  }

  /** How many there are: read off the counts where only type, project and availability decide, else counted. */
  async total(request: Pick<PageRequest, 'types' | 'conditions' | 'availableOnly' | 'identity'>): Promise<number> {
    const values: unknown[] = [];
    const text = request.conditions.length === 0 ? countedSql(request, values)
      : `SELECT count(*) AS n FROM metadata.entity e ${EVENTS} WHERE ${whereSql(request, values)}`;
    const { rows } = await this.#pool.query<{ n: string | null }>({ text, values, types: asText, ...(request.conditions.length === 0 ? { name: nameOf(text) } : {}) });
    return Number(rows[0]?.n ?? 0);
  }
}

const names = new Map<string, string>();
/** A name for a statement whose text has a bounded number of forms, so that it is planned once for each connection. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `entities-page-${names.size}`;
  names.set(text, name);
  return name;
}

function whereSql({ types, conditions, availableOnly, identity }: Pick<PageRequest, 'types' | 'conditions' | 'availableOnly' | 'identity'>, params: unknown[]): string {
  const parts = conditions.map((condition) => `(${condition(params)})`);
  if (types?.length === 1) { params.push(types[0]); parts.push(`e.entity_type = $${params.length}::text`); }
  else if (types) { params.push(types); parts.push(`e.entity_type = ANY($${params.length}::text[])`); }
  if (availableOnly) parts.push('e.is_available');
  if (identity.projects !== '*') parts.push(visibleSql(identity, 'e', params));
  return parts.length === 0 ? 'true' : parts.join(' AND ');
}

function countedSql({ types, availableOnly, identity }: Pick<PageRequest, 'types' | 'availableOnly' | 'identity'>, params: unknown[]): string {
  const parts = ['true'];
  if (types) { params.push(types); parts.push(`entity_type = ANY($${params.length}::text[])`); }
  if (availableOnly) parts.push('is_available');
  if (identity.projects !== '*') { params.push(['', ...identity.projects]); parts.push(`project = ANY($${params.length}::text[])`); }
  return `SELECT sum(n)::text AS n FROM metadata.entity_count WHERE ${parts.join(' AND ')}`;
}

/** `(k1, k2) > (v1, v2)` spelled out, so that each key may have its own direction. */
function afterSql(order: readonly OrderKey[], after: readonly string[], params: unknown[]): string {
  const refs = order.map((key, i) => { params.push(after[i]); return `$${params.length}::${key.type}`; });
  const clauses = order.map((key, i) => {
    const equal = order.slice(0, i).map((k, j) => `${k.sql} = ${refs[j]}`);
    return [...equal, `${key.sql} ${key.descending ? '<' : '>'} ${refs[i]}`].join(' AND ');
  });
  return `(${clauses.map((c) => `(${c})`).join(' OR ')})`;
}

const isInsertionOrder = ([first]: readonly OrderKey[]): boolean => first?.sql === ENTITY_ORDER.created_at && !first.descending;

function pageSql(request: PageRequest, params: unknown[]): string {
  const { order, after, limit, offset, types } = request;
  const orderBy = order.map((key) => `${key.sql} ${key.descending ? 'DESC' : 'ASC'}`).join(', ');
  const keys = `json_build_array(${order.map((key) => `(${key.sql})::text`).join(', ')})::text AS order_keys`;
  const after_ = after ? ` AND ${afterSql(order, after, params)}` : '';
  const bounds = (l: number, o: number): string => { params.push(l, o); return `LIMIT $${params.length - 1}::bigint OFFSET $${params.length}::bigint`; };

  // Several types in insertion order: each type's own index gives its first rows, the few are merged.
  if (types && types.length > 1 && isInsertionOrder(order) && request.conditions.length === 0) {
    params.push(types, limit + offset);
    const [names_, most] = [`$${params.length - 1}::text[]`, `$${params.length}::bigint`];
    const each = `SELECT e.* FROM unnest(${names_}) t(name) CROSS JOIN LATERAL (
      SELECT * FROM metadata.entity e WHERE e.entity_type = t.name AND ${whereSql({ ...request, types: null }, params)}${after_} ORDER BY e.first_event LIMIT ${most}) e`;
    return `SELECT ${COLUMNS}, ${keys} FROM (${each} ORDER BY e.first_event ${bounds(limit, offset)}) e ${EVENTS} ORDER BY e.first_event`;
  }
  return `SELECT ${COLUMNS}, ${keys} FROM metadata.entity e ${EVENTS} WHERE ${whereSql(request, params)}${after_} ORDER BY ${orderBy} ${bounds(limit, offset)}`;
}
