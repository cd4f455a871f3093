// Defines an entity as the client returns it, and the GraphQL selections that read one.

/** A typed record with its metadata (docs/reference/metadata.md#entity-fields). */
export interface Entity<Data extends object = Record<string, unknown>> {
  readonly id: string;
  /** The entity's own type, which may be a subtype of the requested one. */
  readonly entityType: string;
  readonly data: Data;
  /** Incremented by one with every change of data. */
  readonly version: number;
  /** ISO 8601 in UTC with microseconds; a string, because a Date would lose them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** False once the entity was deleted or made unavailable. */
  readonly isAvailable: boolean;
  /** Null where the entity is shared by all projects. */
  readonly project: string | null;
  /** Related entities, where `expand` requested them. */
  readonly expanded?: Expansion;
}

/** The fields, each with its name in REST, which is that of filters as well. */
export const FIELDS = {
  id: 'id',
  entityType: 'entity_type',
  data: 'data',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  isAvailable: 'is_available',
  project: 'project',
} as const satisfies Readonly<Record<Exclude<keyof Entity, 'expanded'>, string>>;

/** Fields that a query takes beside those of `data` (docs/reference/metadata.md#field-parameters). */
export type OwnField = (typeof FIELDS)['id' | 'version' | 'project' | 'isAvailable'];
/** Fields that REST does not show of an entity, and so not inside an expansion. */
export type NotInRest = 'project';

export const ENTITY = Object.keys(FIELDS).join(' ');
export const EXPANDED = `${ENTITY} expanded(paths: $expand)`;

/** Separates the id, which may be in `data` as in REST, from the other fields. */
export function apart(
  data: object,
  given: string | undefined,
): { readonly id: string | undefined; readonly fields: Record<string, unknown> } {
  const { id, ...fields } = data as Record<string, unknown>; // any object has names and values
  return given === undefined && typeof id === 'string' ? { id, fields } : { id: given, fields: { ...data } };
}

/** Returns a text as a CEL literal. */
export const celText = (text: string): string => JSON.stringify(text);

/**
 * By field or relationship type; null where the entity does not exist or is not visible. Lists omit such
 * entities.
 */
export type Expansion = Readonly<Record<string, ExpandedEntity | null | readonly ExpandedEntity[]>>;

/** A related entity, with its own expansion. */
export type ExpandedEntity = Omit<Entity, NotInRest>;
