// The configuration in force, key by key as in the file, with where each value comes from. Secrets are hidden
// (docs/reference/gateway.md#configuration-in-force).
import { valueAt } from './definitions.ts';
import { formatPath, type Origin, type Path } from './faults.ts';
import { shortAddress, shownAs } from './harmless.ts';
import { Secret } from './secret.ts';
import type { Source } from './source.ts';

export type SettingSource = 'file' | 'environment' | 'default';

/** Plain data: it travels to workers with the configuration. */
export interface Setting {
  /** As in the file: `server.limits.connections`, `auth.clients[0].client_id`. */
  readonly key: string;
  /** Null where it is hidden. Sizes are in bytes, paths absolute. */
  readonly value: unknown;
  /** Whether the value, or a part of it, is not shown. */
  readonly isHidden: boolean;
  readonly source: SettingSource;
  /** Of the file: its name and the line; of the environment: the variables. */
  readonly place: string | null;
}

export interface AsWritten {
  readonly source: Source;
  /** The variables that replace keys of the file. */
  readonly variableOf: ReadonlyMap<string, string>;
}

const isOrigin = (value: object): value is Origin => 'document' in value && 'path' in value;

/** A definition: a trigger, an adapter, a validator, a rule. */
interface Definition {
  readonly origin: Origin;
  readonly name?: unknown;
  readonly type?: unknown;
}
const isDefinition = (value: unknown): value is Definition =>
  typeof value === 'object' &&
  value !== null &&
  'origin' in value &&
  typeof value.origin === 'object' &&
  value.origin !== null &&
  isOrigin(value.origin);

/** The reverse of what a section makes of its keys; a secret's key names the variable that holds it. */
const keyOf = (property: string, value: unknown): string =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) +
  (value instanceof Secret ? '_env' : '');

const patternOf = (at: Path): string =>
  formatPath(at)
    .replaceAll(/\[\d+\]/g, '[]')
    .replace(/^components\.[^.]+/, 'components.*');

function lineOf({ document, path }: Origin): string {
  const place = document.locate(path);
  return place === undefined ? document.label : `${document.label}:${place.line}`;
}

/** Where a value comes from. `runner: cwltool` is written as its type. */
function from(at: Path, { source, variableOf }: AsWritten): Pick<Setting, 'source' | 'place'> {
  const key = formatPath(at);
  const variable = variableOf.get(key);
  if (variable !== undefined) return { source: 'environment', place: variable };
  const parent = valueAt(source.tree, at.slice(0, -1));
  const isShort = at.at(-1) === 'type' && typeof parent === 'string';
  if (!isShort && valueAt(source.tree, at) === undefined) return { source: 'default', place: null };
  const variables = source.variablesAt(at);
  return variables.length > 0
    ? { source: 'environment', place: variables.join(', ') }
    : { source: 'file', place: lineOf({ document: source, path: at }) };
}

/** The value as it may be shown; undefined for nothing of it. */
function shownValue(at: Path, value: unknown): { readonly value: unknown; readonly isHidden: boolean } {
  if (typeof value === 'number' || typeof value === 'boolean') return { value, isHidden: false };
  if (Array.isArray(value)) {
    const items = value.map((item, i) => shownValue([...at, i], item));
    return { value: items.map((item) => item.value), isHidden: items.some((item) => item.isHidden) };
  }
  const how = shownAs(patternOf(at));
  if (how === 'mapping' || (how === 'whole' && typeof value === 'string')) return { value, isHidden: false };
  if (how !== 'address' || typeof value !== 'string') return { value: null, isHidden: true };
  const { text, isCut } = shortAddress(value);
  return { value: text, isHidden: isCut };
}

const isSimple = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Of a mapping: whatever else a value can be was looked at before. */
const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

function* settingsBelow(value: unknown, at: Path, written: AsWritten): Generator<Setting> {
  if (isDefinition(value)) {
    const { origin, name, type } = value;
    const named = Object.fromEntries(
      Object.entries({ name, type }).filter(([, one]) => isSimple(one) && one !== undefined),
    );
    yield { key: formatPath(at), value: named, isHidden: true, source: 'file', place: lineOf(origin) };
  } else if (value instanceof Secret) {
    const variable = valueAt(written.source.tree, at);
    const place = typeof variable === 'string' ? variable : null;
    yield { key: formatPath(at), value: null, isHidden: true, source: 'environment', place };
  } else if (
    isSimple(value) ||
    (Array.isArray(value) && value.every(isSimple)) ||
    shownAs(patternOf(at)) === 'mapping'
  )
    yield { key: formatPath(at), ...shownValue(at, value), ...from(at, written) };
  else if (Array.isArray(value))
    for (const [i, item] of value.entries()) yield* settingsBelow(item, [...at, i], written);
  else
    for (const [property, item] of entriesOf(value))
      if (item !== undefined)
        yield* settingsBelow(
          item,
          [...at, at.length === 1 && at[0] === 'components' ? property : keyOf(property, item)],
          written,
        );
}

/** Every key that has a value, in the order of the configuration. */
export const settingsOf = (
  config: Readonly<Record<string, unknown>>,
  written: AsWritten,
): readonly Setting[] => [...settingsBelow(config, [], written)];
