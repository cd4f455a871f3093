// What an expression can go on with where the cursor is: fields of the type, their values, functions.
import type { Completion } from '@codemirror/autocomplete';
import { choicesOf, type FieldKind } from '../../parts/field-kind.ts';

type Field = FieldKind & { readonly description?: string | null };

/** An entity's own names beside its data (docs/reference/cel.md). */
const OWN: readonly (readonly [string, string])[] = [
  ['id', 'string'],
  ['entity_type', 'string'],
  ['version', 'int'],
  ['created_at', 'time'],
  ['updated_at', 'time'],
  ['is_available', 'bool'],
  ['project', 'string'],
];

const FUNCTIONS: readonly (readonly [string, string])[] = [
  ['has(', 'whether a field has a value'],
  ['size(', 'length of a text or list'],
  ['timestamp(', 'an instant from a text'],
  ['duration(', 'a span of time, such as "24h"'],
  ['true', ''],
  ['false', ''],
  ['null', ''],
];

/** After a dot. */
const METHODS: Readonly<Record<'text' | 'list', readonly (readonly [string, string])[]>> = {
  text: [
    ['startsWith(', 'begins with a text'],
    ['endsWith(', 'ends with a text'],
    ['contains(', 'contains a text'],
    ['matches(', 'a regular expression'],
    ['size()', 'how many characters'],
    ['lowerAscii()', 'in lower case'],
  ],
  list: [
    ['exists(x, ', 'true of one of them'],
    ['all(x, ', 'true of each'],
    ['size()', 'how many'],
  ],
};

export interface Completions {
  /** Where what is replaced begins. */
  readonly from: number;
  readonly options: readonly Completion[];
}

const isText = ({ type }: FieldKind): boolean => type === 'string' || type === 'enum' || type === 'uri';
const quoted = (text: string): string => JSON.stringify(text);

function methodsOf(field: Field | undefined): readonly (readonly [string, string])[] {
  if (field === undefined) return [];
  if (field.many === true) return METHODS.list;
  return isText(field) ? METHODS.text : [];
}

const asOptions = (words: readonly (readonly [string, string])[], type: string): readonly Completion[] =>
  words.map(([label, detail]) => ({ label, detail, type }));

/** @param before the expression up to the cursor. Undefined where nothing is known */
export function completionsOf(before: string, fields: readonly Field[]): Completions | undefined {
  const named = (name: string | undefined): Field | undefined => fields.find((one) => one.name === name);
  const value = /\bdata\.(\w+)\s*(?:[=!]=|in\s*\[(?:[^\]]*,)?)\s*("?[^"\s\]]*)$/.exec(before);
  const choices = value === null ? undefined : choicesOf(named(value[1]) ?? { name: '', type: '' });
  if (value !== null && choices !== undefined)
    return {
      from: before.length - (value[2] ?? '').length,
      options: choices.map((text) => ({
        label: named(value[1])?.type === 'bool' ? text : quoted(text),
        type: 'constant',
      })),
    };
  if (((before.match(/(?<!\\)"/g) ?? []).length & 1) === 1) return undefined; // within a text
  const member = /\bdata\.(\w*)$/.exec(before);
  if (member !== null)
    return {
      from: before.length - (member[1] ?? '').length,
      options: fields.map(({ name, type, many, description }) => ({
        label: name,
        detail: many === true ? `list of ${type}` : type,
        type: 'property',
        ...(description === null || description === undefined ? {} : { info: description }),
      })),
    };
  const method = /\bdata\.(\w+)\.(\w*)$/.exec(before);
  if (method !== null)
    return {
      from: before.length - (method[2] ?? '').length,
      options: asOptions(methodsOf(named(method[1])), 'method'),
    };
  const word = /(?:^|[^\w.])(\w*)$/.exec(before);
  if (word === null) return undefined;
  return {
    from: before.length - (word[1] ?? '').length,
    options: [
      { label: 'data.', detail: 'the fields', type: 'variable', boost: 10 },
      ...asOptions(OWN, 'variable'),
      ...asOptions(FUNCTIONS, 'function'),
    ],
  };
}
