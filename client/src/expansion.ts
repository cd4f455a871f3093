// Entities around an entity, as `expand` asks for them (spec 2 «GET /entities/{entity_id}», `expand`).
import type { Entity } from './entity.ts';

/** By field or relationship type; null for what is not there or may not be seen, which lists leave out. */
export type Expansion = Readonly<Record<string, ExpandedEntity | null | readonly ExpandedEntity[]>>;

/** An entity that was reached, with what was reached from it. */
export type ExpandedEntity = Omit<Entity, 'project'>;

export interface ExpandOptions {
  /**
   * What to answer in `expanded` beside `data`: `field` and `field.child` of references, `field[]` for lists of them, `relationship_type[]`
   * for what relationships lead to; 5 deep. A list that is cut is told to the client's `onWarning`.
   */
  readonly expand?: readonly string[] | undefined;
}

/** An entity as REST spells it: so are those inside an expansion. */
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

/** An entity as it was answered, with its expansion, if any, in the client's spelling. */
export const withExpansion = <One extends { readonly expanded?: unknown }>(entity: One): One =>
  entity.expanded === undefined
    ? entity
    : { ...entity, expanded: readExpansion(entity.expanded as WrittenExpansion) }; // asked for, and as the SDL describes it
