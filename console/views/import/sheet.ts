// A sheet as it was read, and how its columns become the fields of a type.
import type { Data } from '../../api/json.ts';
import { type FieldKind, isNumeric } from '../../parts/field-kind.ts';
import { valueOf } from '../../parts/form-values.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';

export interface SheetRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** By column: text, or what a format with types of its own holds. */
  readonly cells: readonly unknown[];
}

export interface Sheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly SheetRow[];
}

/** What becomes of a column. */
export interface Use {
  /** A field; empty for a column that is left out. */
  readonly to: string;
  /** What is put before each value: `sample:` makes `sample:HG00096` of `HG00096`. */
  readonly prefix: string;
}

/** How rows become entities of a type. */
export interface Matching {
  /** By column. */
  readonly uses: readonly Use[];
  /** The column of the ids, which may be a field as well; undefined where each row is a new entity. */
  readonly id: { readonly column: number; readonly prefix: string } | undefined;
}

/** Between several values in one cell. */
const SEPARATOR = ';';

/** A name without case, accents, blanks and signs. */
export const squeezed = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** The fields of the names of columns, whatever their case, blanks and signs; each field once. */
export function guessedUses(columns: readonly string[], { allFields }: TypeInfo): readonly Use[] {
  const names = new Map(allFields.map(({ name }) => [squeezed(name), name]));
  const taken = new Set<string>();
  return columns.map((column) => {
    const to = names.get(squeezed(column)) ?? '';
    if (taken.has(to)) return { to: '', prefix: '' };
    taken.add(to);
    return { to, prefix: '' };
  });
}

/** The type that has most of the columns, if all of its required fields are among them. */
export function guessedType(columns: readonly string[], types: readonly TypeInfo[]): TypeInfo | undefined {
  const fits = types.map((type) => {
    const used = new Set(guessedUses(columns, type).map(({ to }) => to));
    const isWhole = type.allFields.every(({ name, required }) => !required || used.has(name));
    return { type, count: isWhole ? [...used].filter((to) => to !== '').length : 0 };
  });
  const most = Math.max(0, ...fits.map(({ count }) => count));
  const [best, ...others] = most === 0 ? [] : fits.filter(({ count }) => count === most);
  return others.length === 0 ? best?.type : undefined;
}

/** A number as a program writes it, which a double holds: `007`, `0x1` and longer integers stay text. */
const isNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][-+]?\d+)?$/.test(text) &&
  /\d/.test(text) &&
  (!/^-?\d+$/.test(text) || Number.isSafeInteger(Number(text)));

function single(cell: unknown, field: FieldKind, prefix: string): unknown {
  const isText = typeof cell === 'string';
  if (!isText && typeof cell !== 'number' && typeof cell !== 'boolean') return cell;
  const takesIt = isNumeric(field) || field.type === 'bool' || field.type === 'json';
  if (!isText && takesIt) return cell;
  if (field.type === 'string') return prefix + String(cell);
  const text = prefix + String(cell).trim();
  if (isNumeric(field) && !isNumber(text)) return text; // the server says what is wrong with it
  return valueOf(field.type === 'bool' ? text.toLowerCase() : text, field);
}

/** The value of a field by a cell; undefined for an empty one, which leaves the field as it is. */
export function cellValue(cell: unknown, field: FieldKind, prefix: string): unknown {
  if (cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === ''))
    return undefined;
  if (field.many !== true) return single(cell, field, prefix);
  if (typeof cell !== 'string') return Array.isArray(cell) ? cell : [single(cell, field, prefix)];
  if (cell.trim().startsWith('[')) return valueOf(cell, { type: 'json' });
  return cell
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => single(part, field, prefix));
}

export interface Made {
  readonly entityType: string;
  readonly id?: string;
  readonly data: Data;
}

/** The entity that a row stands for. */
export function entityOf({ cells }: SheetRow, { uses, id }: Matching, type: TypeInfo): Made {
  const data: Record<string, unknown> = {};
  for (const [i, { to, prefix }] of uses.entries()) {
    const field = type.allFields.find(({ name }) => name === to);
    const value = field === undefined ? undefined : cellValue(cells[i], field, prefix);
    if (value !== undefined) data[to] = value;
  }
  const name = id === undefined ? '' : cellText(cells[id.column]).trim();
  return {
    entityType: type.name,
    ...(id === undefined || name === '' ? {} : { id: id.prefix + name }),
    data,
  };
}

/** An id that several rows have, and the lines of the first two. */
export interface RepeatedId {
  readonly id: string;
  readonly lines: readonly [number, number];
}

/** Rows whose id an earlier row has: how many, and the first of them; undefined where each has its own. */
export function repeatedIds(
  { rows }: Sheet,
  entities: readonly Made[],
): { readonly count: number; readonly first: RepeatedId } | undefined {
  const lines = new Map<string, number>();
  let count = 0;
  let first: RepeatedId | undefined;
  for (const [i, { id }] of entities.entries()) {
    if (id === undefined) continue;
    const [earlier, line] = [lines.get(id), rows[i]?.line ?? 0];
    if (earlier === undefined) lines.set(id, line);
    else {
      count++;
      first ??= { id, lines: [earlier, line] };
    }
  }
  return first && { count, first };
}

/** A cell as people see and edit it. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (Array.isArray(cell) && cell.every((one) => typeof one === 'string')) return cell.join(SEPARATOR);
  return JSON.stringify(cell);
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
