// Maps the names of a filter to SQL expressions of the statement that contains it.

/**
 * SQL expressions, one for each standard name; all but `project` must never be NULL. The same filter applies
 * to the present table and to its history: only these differ.
 */
export interface FilterColumns {
  /** jsonb, always an object */
  readonly data: string;
  readonly id: string;
  readonly entity_type: string;
  /** integer */
  readonly version: string;
  /** boolean */
  readonly is_available: string;
  /** text, NULL if the entity is in no project */
  readonly project: string;
  /** timestamptz */
  readonly created_at: string;
  /** timestamptz */
  readonly updated_at: string;
}

/** `metadata.entity e`, with `metadata.provenance` joined as `c` (its first event) and `u` (its last). */
export const ENTITY_COLUMNS: FilterColumns = {
  data: 'e.data',
  id: 'e.id',
  entity_type: 'e.entity_type',
  version: 'e.version',
  is_available: 'e.is_available',
  project: 'e.project',
  created_at: 'c.timestamp',
  updated_at: 'u.timestamp',
};
