// Names of columns and fields: which column stands for which field, however it is written.

/** `Sample name ` and `sampleName` as `sample_name`. */
export function fieldName(column: string): string {
  const name = column
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100);
  if (name === '') return 'column';
  return /^\p{N}/u.test(name) ? `_${name}` : name;
}

const squeezed = (name: string): string => fieldName(name).replaceAll('_', '');

/** The one name of many that a column stands for: the same, or the same but for case, blanks and signs. */
export function nameFor(column: string, names: readonly string[]): string | undefined {
  if (names.includes(column)) return column;
  const wanted = squeezed(column);
  const found = names.filter((name) => squeezed(name) === wanted);
  return found.length === 1 ? found[0] : undefined;
}

/** Columns of what an earlier load wrote beside rejected rows. */
export const OWN = 'cairn:';

/** Columns of a table that the platform exported, which are no fields and are not loaded. */
const EXPORTED = ['version', 'created_at', 'updated_at', 'is_available'];

const isExported = (columns: readonly string[]): boolean =>
  ['id', 'entity_type', ...EXPORTED].every((name) => columns.includes(name));

/** In an export, `data.version` is the field of that name, as `version` is the entity's own. */
const BESIDE = new Map(['entity_type', ...EXPORTED].map((name) => [`data.${name}`, name]));

/**
 * The fields that columns of an export stand for beside the entity's own of the same names, by column
 * (docs/reference/metadata.md#tables).
 */
export const fieldsBeside = (columns: readonly string[]): ReadonlyMap<string, string> =>
  isExported(columns) ? BESIDE : new Map();

/** The columns that are the platform's own: of an export, or beside rejected rows. */
export function ownColumns(columns: readonly string[]): ReadonlySet<string> {
  const isExport = isExported(columns);
  return new Set(
    columns.filter((column) => column.startsWith(OWN) || (isExport && EXPORTED.includes(column))),
  );
}

/** Names that a message lists. */
const MAX_LISTED = 20;

export function namesList(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  const shown = names
    .slice(0, MAX_LISTED)
    .map((name) => JSON.stringify(name))
    .join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
