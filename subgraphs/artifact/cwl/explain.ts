// Converts the structure checker's tree of alternatives to sentences about locations.
import { ValidationException } from 'cwl-ts-auto';
import type { CwlPath } from './problem.ts';
import { ownMember } from '../../../platform/json-object.ts';

export interface Fault {
  /** Path below the value that was checked. */
  readonly path: CwlPath;
  readonly message: string;
}

const FIELD = /^the `(.+?)` field is not valid because/;
const UNKNOWN = /^invalid field (.+?),\s+expected one of: (.*)$/s;
const WANTED = /^Expected (?:an? )?(.*)$/s;
const WORDS: Readonly<Record<string, string>> = {
  str: 'a string',
  list: 'a list',
  dict: 'a map',
  Bool: 'true or false',
  Int: 'an integer',
  Float: 'a number',
  String: 'a string',
};

/** The expectation of a leaf as text; null for `Undefined`, which only says that the field may be absent. */
function wanted(message: string): string | null {
  const [, rest] = WANTED.exec(message) ?? [];
  if (rest === undefined) return message;
  const name = rest.replace(/ but got .*$/s, '');
  return name === 'Undefined'
    ? null
    : (WORDS[name] ?? name.replace(/^one of /, 'one of ').replaceAll(',', ', '));
}

/** A fault of an alternative that was not meant: another class of schema or process. */
const isOtherKind = ({ path, message }: Fault): boolean =>
  ['class', 'type'].includes(String(path.at(-1))) && message.startsWith('one of ');

/**
 * Of several alternatives for a value, the one that matched furthest; if none did, the expectations of all.
 */
function likeliest(readings: readonly (readonly Fault[])[], path: CwlPath): readonly Fault[] {
  const deeper = readings.filter((faults) => faults.some((fault) => fault.path.length > path.length));
  const meant = deeper.filter((faults) => !faults.some(isOtherKind));
  const [best] = (meant.length > 0 ? meant : deeper).toSorted(
    (a, b) => depth(b) - depth(a) || a.length - b.length,
  );
  if (best) return best;
  const wishes = [...new Set(readings.flat().map((fault) => fault.message))];
  return wishes.length === 0 ? [] : [{ path, message: wishes.join(' or ') }];
}

const depth = (faults: readonly Fault[]): number => Math.max(0, ...faults.map((fault) => fault.path.length));

function faultsOf(tree: ValidationException, path: CwlPath): readonly Fault[] {
  const [, field] = FIELD.exec(tree.message) ?? [];
  if (field !== undefined) return tree.children.flatMap((child) => faultsOf(child, [...path, field]));
  const [, unknown, known = ''] = UNKNOWN.exec(tree.message) ?? [];
  if (unknown !== undefined)
    return [
      {
        path: [...path, unknown],
        message: `unknown field \`${unknown}\`; known here: ${known.replaceAll('`', '').replaceAll(',', ', ')}`,
      },
    ];
  if (tree.children.length === 0) {
    const wish = wanted(tree.message);
    return wish === null ? [] : [{ path, message: wish }];
  }
  const inner = tree.children.map((child) => faultsOf(child, path));
  return tree.children.every((child) => child.message.startsWith('tried '))
    ? likeliest(inner, path)
    : inner.flat();
}

const valueAt = (value: unknown, path: CwlPath): unknown => path.reduce<unknown>(ownMember, value);

/**
 * Describes the faults of a value from what its reader threw. Any other exception is a fault of the value,
 * too, because nothing else was read.
 */
export function explain(thrown: unknown, value: unknown): readonly Fault[] {
  if (!(thrown instanceof ValidationException))
    return [
      {
        path: [],
        message: `cannot be read as CWL: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      },
    ];
  const faults = faultsOf(thrown, []);
  if (faults.length === 0) return [{ path: [], message: 'is not valid CWL' }];
  return faults.map(({ path, message }) => {
    const field = path.at(-1);
    if (message.startsWith('unknown field') || field === undefined)
      return { path, message: field === undefined ? `must be ${message}` : message };
    if (valueAt(value, path) === undefined)
      return { path: path.slice(0, -1), message: `\`${field}\` is missing` };
    return { path, message: `\`${field}\` must be ${message}` };
  });
}
