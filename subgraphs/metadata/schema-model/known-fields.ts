// The fields of a type with its subtypes, or of any type, for warnings about unknown fields.
import { Suggestions } from '../../../platform/suggestions.ts';
import { orMeant } from '../../../platform/suggestions.ts';
import type { EntityType } from './entity-type.ts';
import type { SchemaCatalogue } from './schema-catalogue.ts';

interface Known {
  readonly names: ReadonlySet<string>;
  readonly suggestions: Suggestions;
  /** Among the fields that refer to entities. */
  readonly references: Suggestions;
}

/** Computed on the first unknown field; a catalogue never changes. */
const known = new WeakMap<SchemaCatalogue, Map<string, Known>>();

function knownFields(catalogue: SchemaCatalogue, type: EntityType | null): Known {
  let ofTypes = known.get(catalogue);
  if (!ofTypes) known.set(catalogue, (ofTypes = new Map<string, Known>()));
  const key = type?.name ?? '';
  let fields = ofTypes.get(key);
  if (!fields) {
    const types =
      type === null
        ? [...catalogue.types()]
        : type.selfAndSubtypes.flatMap((name) => catalogue.get(name) ?? []);
    const names = new Set(types.flatMap((one) => [...one.fields.keys()]));
    const references = new Suggestions(() => [
      ...new Set(
        types.flatMap((one) => [...one.fields.values()].flatMap((f) => (f.type === 'ref' ? f.name : []))),
      ),
    ]);
    ofTypes.set(key, (fields = { names, suggestions: new Suggestions(() => [...names]), references }));
  }
  return fields;
}

/** Whether the field is a `datetime` in the type or one of its subtypes: in CEL it is the stored text. */
export const isInstant = (catalogue: SchemaCatalogue, type: EntityType, name: string): boolean =>
  type.selfAndSubtypes.some((one) => catalogue.get(one)?.fields.get(name)?.type === 'datetime');

/** A warning about an unknown field, with a suggestion; null for a known field. */
export function unknownField(
  catalogue: SchemaCatalogue,
  type: EntityType | null,
  name: string,
): string | null {
  if (type?.fields.has(name) === true) return null;
  const { names, suggestions } = knownFields(catalogue, type);
  if (names.has(name)) return null;
  const shown = name.slice(0, 100);
  return `${type === null ? `no type has a field ${shown}` : `${type.name} and its subtypes have no field ${shown}`}${orMeant(suggestions.for(name))}`;
}

/** The reference field of the type, its subtypes, or any type that was probably meant. */
export const meantReference = (
  catalogue: SchemaCatalogue,
  type: EntityType | null,
  name: string,
): string | undefined => knownFields(catalogue, type).references.for(name);
