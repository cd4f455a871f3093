// What differs between two JSON documents: lists of named things are compared by their names.
import { isData } from '../api/json.ts';

export interface Difference {
  /** Names from the outside in, with dots. */
  readonly path: string;
  /** Undefined where it was not there. */
  readonly before: unknown;
  /** Undefined where it is gone. */
  readonly after: unknown;
}

/** What tells the members of a list apart, in definitions of schemas and rules. */
const NAMES = ['name', 'rule_id', 'ref', 'entity_type'] as const;

/** A list as an object by the names of its members; undefined where they have none of their own. */
function byNames(list: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const named = NAMES.find((key) => list.every((one) => isData(one) && typeof one[key] === 'string'));
  if (named === undefined || list.length === 0) return undefined;
  const entries = list.map((one) => [isData(one) ? String(one[named]) : '', one] as const);
  return new Set(entries.map(([name]) => name)).size === list.length
    ? Object.fromEntries(entries)
    : undefined;
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (Array.isArray(value)) return byNames(value);
  return isData(value) ? value : undefined;
};

export function differences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  if (was !== undefined && is !== undefined)
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
      differences(was[name], is[name], path === '' ? name : `${path}.${name}`),
    );
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}
