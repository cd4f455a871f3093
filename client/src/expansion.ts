// Expands related entities with `expand` (docs/reference/metadata.md#expand).
import type { ExpandedEntity, Expansion } from './entity.ts';

export interface ExpandOptions {
  /**
   * The related entities to return in `expanded` beside `data`: `field` and `field.child` for references,
   * `field[]` for lists of references, `relationship_type[]` for the targets of relationships; up to 5
   * levels. A truncated list is reported to the client's `onWarning`.
   */
  readonly expand?: readonly string[] | undefined;
}

/** An entity with the field names of REST, as inside an expansion. */
interface Written {
  readonly id: string;
  readonly entity_type: string;
  readonly data: Record<string, unknown>;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly is_available: boolean;
  readonly expanded?: WrittenExpansion;
}
export type WrittenExpansion = Readonly<Record<string, Written | null | readonly Written[]>>;

const read = ({
  id,
  entity_type: entityType,
  data,
  version,
  created_at: createdAt,
  updated_at: updatedAt,
  is_available: isAvailable,
  expanded,
}: Written): ExpandedEntity => ({
  id,
  entityType,
  data,
  version,
  createdAt,
  updatedAt,
  isAvailable,
  ...(expanded === undefined ? {} : { expanded: readExpansion(expanded) }),
});

const isList = (value: Written | null | readonly Written[]): value is readonly Written[] =>
  Array.isArray(value);

export const readExpansion = (written: WrittenExpansion): Expansion =>
  Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      isList(value) ? value.map(read) : value && read(value),
    ]),
  );

/** Converts the expansion of a response, if any, to the client's field names. */
export const withExpansion = <One extends { readonly expanded?: unknown }>(entity: One): One =>
  entity.expanded === undefined
    ? entity
    : // requested, and as the SDL describes it
      { ...entity, expanded: readExpansion(entity.expanded as WrittenExpansion) };
