// An entity as it is read: its data may still be the database's text, which is parsed on first access.
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import type { Moment } from '../as-of/timeline.ts';
import type { EntityData } from '../schemas/entity-type.ts';

export interface EntityRow {
  readonly id: string;
  readonly entity_type: string;
  /** JSON text. */
  readonly data: string;
  readonly version: string;
  /** PostgreSQL's text of a timestamp in UTC: `2026-01-31 09:30:00.123456`. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly is_available: string;
  readonly project: string | null;
}

/** `2026-01-31 09:30:00.1` → `2026-01-31T09:30:00.100000Z` (docs/reference/api-conventions.md#timestamps). */
export function isoTime(text: string): string {
  const fraction = text.length > 20 ? text.slice(20) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}Z`;
}

/**
 * The value that resolvers of Entity fields start from: a record, or the result of a write, which is of the
 * present.
 */
export interface EntitySource {
  readonly id: string;
  readonly at?: Moment;
}

/** The value of an Entity in the graph: a record, or the result of a write. */
export interface EntityView extends EntitySource {
  readonly entityType: string;
  readonly data: EntityData;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly isAvailable: boolean;
  readonly project: string | null;
}

export class EntityRecord implements EntityView {
  readonly id: string;
  readonly entityType: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly isAvailable: boolean;
  readonly project: string | null;
  readonly dataText: string;
  /** The moment of the state; null for the present. */
  readonly at: Moment;
  #data: EntityData | undefined;

  constructor(row: EntityRow, at: Moment = null) {
    this.id = row.id;
    this.entityType = row.entity_type;
    this.version = Number(row.version);
    this.createdAt = isoTime(row.created_at);
    this.updatedAt = isoTime(row.updated_at);
    this.isAvailable = row.is_available === 't';
    this.project = row.project;
    this.dataText = row.data;
    this.at = at;
  }

  get data(): EntityData {
    // The column's CHECK ensures an object.
    return (this.#data ??= JSON.parse(this.dataText) as EntityData);
  }

  /** The variables of CEL. */
  bound(): BoundEntity {
    const { id, entityType, version, isAvailable, project, createdAt, updatedAt, data } = this;
    return {
      id,
      entity_type: entityType,
      version,
      is_available: isAvailable,
      project,
      created_at: createdAt,
      updated_at: updatedAt,
      data,
    };
  }
}
