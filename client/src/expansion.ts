// Expands related entities with `expand` (docs/reference/metadata.md#expand).
import { type Entity, type ExpandedEntity, type Expansion, FIELDS, type NotInRest } from './entity.ts';

export interface ExpandOptions {
  /**
   * The related entities to return in `expanded` beside `data`: `field` and `field.child` for references,
   * `field[]` for lists of references, `relationship_type[]` for the targets of relationships; up to 5
   * levels. A truncated list is reported to the client's `onWarning`.
   */
  readonly expand?: readonly string[] | undefined;
}

/** An entity with the field names of REST, as inside an expansion. */
type Written = {
  readonly [Field in Shown as (typeof FIELDS)[Field]]: Entity[Field];
} & { readonly expanded?: WrittenExpansion };
export type WrittenExpansion = Readonly<Record<string, Written | null | readonly Written[]>>;

type Shown = Exclude<keyof typeof FIELDS, NotInRest>;
const NAMES = Object.entries(FIELDS) as readonly [Shown, (typeof FIELDS)[Shown]][]; // what is not shown is not written

const read = ({ expanded, ...written }: Written): ExpandedEntity => ({
  ...(Object.fromEntries(
    NAMES.flatMap(([field, name]) => (name in written ? [[field, written[name]]] : [])),
  ) as Pick<ExpandedEntity, Shown>), // each is written
  ...(expanded === undefined ? {} : { expanded: readExpansion(expanded) }),
});

const isList = (value: Written | null | readonly Written[]): value is readonly Written[] =>
  Array.isArray(value);

const readExpansion = (written: WrittenExpansion): Expansion =>
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
