// What differs between two definitions of a type.
import { isDeepStrictEqual } from 'node:util';
import { type Json, rows } from './api.ts';
import { type Paint, printable } from './output.ts';

export interface Difference {
  readonly change: 'added' | 'removed' | 'changed';
  /** Name of a field of the type, or of a property of the definition. */
  readonly what: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

function differencesOf(before: Json, after: Json, prefix: string): readonly Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): readonly Difference[] => {
    const what = prefix + name;
    if (!Object.hasOwn(before, name)) return [{ change: 'added', what, after: after[name] }];
    if (!Object.hasOwn(after, name)) return [{ change: 'removed', what, before: before[name] }];
    if (isDeepStrictEqual(before[name], after[name])) return [];
    return [{ change: 'changed', what, before: before[name], after: after[name] }];
  });
}

const DEFAULTS = { required: false, unique: false, many: false, indexed: false };

/** Fields by name, without what says nothing because it is the default. */
const fieldsOf = (schema: Json): Json =>
  Object.fromEntries(
    rows(schema, 'fields').map((field) => [
      String(field['name']),
      Object.fromEntries(
        Object.entries(field).filter(
          ([key, value]) =>
            value !== null &&
            // the key is there
            !(Object.hasOwn(DEFAULTS, key) && DEFAULTS[key as keyof typeof DEFAULTS] === value),
        ),
      ),
    ]),
  );

/** What differs between two definitions: properties of the type, then its fields. */
export function schemaDifferences(before: Json, after: Json): readonly Difference[] {
  const { fields: _b, ...ofBefore } = before;
  const { fields: _a, ...ofAfter } = after;
  return [
    ...differencesOf(ofBefore, ofAfter, ''),
    ...differencesOf(fieldsOf(before), fieldsOf(after), 'fields.'),
  ];
}

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const COLOURS = { added: 'green', removed: 'red', changed: 'yellow' } as const;

/** One difference as a line for people. */
export function differenceLine(paint: Paint, { change, what, before, after }: Difference): string {
  const text = (value: unknown): string => printable(JSON.stringify(value));
  const values = [before, after].filter((value) => value !== undefined).map(text);
  return `${paint[COLOURS[change]](`${SIGNS[change]} ${printable(what)}`)}  ${values.join(' → ')}`;
}
