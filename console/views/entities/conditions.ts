// Conditions on single fields, as they are in the address (`field:op:value`), and as CEL.
import { type FieldKind, isNumeric } from '../../parts/field-kind.ts';
import { projectFilter } from '../../parts/project-filter.ts';

export const OPERATORS = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  starts: 'begins with',
  lt: 'less than',
  le: 'at most',
  gt: 'more than',
  ge: 'at least',
  has: 'has a value',
  hasnt: 'has no value',
} as const;
export type Operator = keyof typeof OPERATORS;

export interface Condition {
  readonly field: string;
  readonly op: Operator;
  readonly value: string;
}

const isOperator = (text: string): text is Operator => Object.hasOwn(OPERATORS, text);

/** Undefined for what is no condition: an address may be edited by hand. */
export function readCondition(text: string): Condition | undefined {
  const [, field, op, value] = /^([^:]*):(\w+):(.*)$/s.exec(text) ?? [];
  return field !== undefined && op !== undefined && isOperator(op)
    ? { field, op, value: value ?? '' }
    : undefined;
}

export const writeCondition = ({ field, op, value }: Condition): string => `${field}:${op}:${value}`;

const NUMBERS: readonly Operator[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'has', 'hasnt'];
const BY_TYPE: Readonly<Record<string, readonly Operator[]>> = {
  int: NUMBERS,
  float: NUMBERS,
  date: NUMBERS,
  datetime: ['lt', 'ge', 'has', 'hasnt'],
  bool: ['eq', 'has', 'hasnt'],
  enum: ['eq', 'ne', 'has', 'hasnt'],
  ref: ['eq', 'ne', 'has', 'hasnt'],
  json: ['has', 'hasnt'],
};

export const operatorsOf = ({ type, many }: FieldKind): readonly Operator[] =>
  many === true
    ? ['eq', 'has', 'hasnt']
    : (BY_TYPE[type] ?? ['eq', 'ne', 'contains', 'starts', 'has', 'hasnt']);

/** Whether an operator compares with a value. */
export const needsValue = (op: Operator): boolean => op !== 'has' && op !== 'hasnt';

const SYMBOLS = { eq: '==', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

const accessOf = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `data.${name}` : `data[${JSON.stringify(name)}]`;

/** The value as a literal of CEL; a number that is none stays text, and the server says so. */
function literalOf(value: string, type: string): string {
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
  if (isNumeric({ type }) && isNumber) return String(Number(value));
  if (type === 'bool' && (value === 'true' || value === 'false')) return value;
  if (type === 'datetime') return `timestamp(${JSON.stringify(value)})`;
  return JSON.stringify(value);
}

/** Fields of numbers take whole ones for any: `1` matches `1.0`. */
function celOf({ field, op, value }: Condition, fields: readonly FieldKind[]): string {
  const kind = fields.find(({ name }) => name === field);
  const type = kind?.type ?? 'string';
  const access = accessOf(field);
  if (op === 'has') return `(has(${access}) && ${access} != null)`;
  if (op === 'hasnt') return `(!has(${access}) || ${access} == null)`;
  const literal = literalOf(value, type);
  if (kind?.many === true) return `${literal} in ${access}`;
  if (op === 'contains') return `${access}.contains(${literal})`;
  if (op === 'starts') return `${access}.startsWith(${literal})`;
  return `${type === 'datetime' ? `timestamp(${access})` : access} ${SYMBOLS[op]} ${literal}`;
}

/** All conditions and the expression of the reader's own, as one expression; undefined for none. */
export function filterOf(
  conditions: readonly Condition[],
  own: string,
  fields: readonly FieldKind[],
  project?: string,
): string | undefined {
  const terms = conditions.map((condition) => celOf(condition, fields));
  if (project !== undefined) terms.unshift(projectFilter(project));
  if (own.trim() !== '') terms.push(terms.length === 0 ? own.trim() : `(${own.trim()})`);
  return terms.length === 0 ? undefined : terms.join(' && ');
}
