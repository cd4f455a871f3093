// The fields of a form as text, and back as values of their types.
import type { Data } from '../api/json.ts';
import { type FieldKind, isNumeric } from './field-kind.ts';

export type Texts = Readonly<Record<string, string>>;

/** A value as the text of its input: a list has a line for each element. */
function textOf(value: unknown, { type, many }: Pick<FieldKind, 'type' | 'many'>): string {
  if (value === null || value === undefined) return '';
  if (many === true && Array.isArray(value))
    return value.map((one) => textOf(one, { type, many: false })).join('\n');
  if (type === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const textsOf = (data: Data, fields: readonly FieldKind[]): Texts =>
  Object.fromEntries(fields.map((field) => [field.name, textOf(data[field.name], field)]));

/** What cannot be read stays text: the server says what is wrong with it. */
export function valueOf(text: string, { type }: Pick<FieldKind, 'type'>): unknown {
  if (type === 'bool') return text === 'true' || text === 'false' ? text === 'true' : text;
  if (type === 'json') {
    try {
      return JSON.parse(text) as unknown;
    } catch (fault) {
      if (fault instanceof SyntaxError) return text;
      throw fault;
    }
  }
  if (isNumeric({ type }) && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** The value of an input; null of an empty one. */
export function readField(text: string, field: FieldKind): unknown {
  if (text === '') return null;
  if (field.many !== true) return valueOf(text, field);
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => valueOf(line, field));
}

/** The fields whose text is another than before; an emptied one is null, a new entity's empty one is left out. */
export function changesOf(before: Texts, after: Texts, fields: readonly FieldKind[], isNew: boolean): Data {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = after[field.name] ?? '';
      const isSame = isNew ? text === '' : text === (before[field.name] ?? '');
      return isSame ? [] : [[field.name, readField(text, field)]];
    }),
  );
}
