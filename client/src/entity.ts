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

export const ENTITY = 'id entityType data version createdAt updatedAt isAvailable project';
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
export type ExpandedEntity = Omit<Entity, 'project'>;
