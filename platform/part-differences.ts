// The parts in which two documents differ, each with the way to it.
import { isSameJson } from './canonical-json.ts';
import { isObject } from './json-object.ts';

export interface PartDifference {
  /** Names from the outside in. */
  readonly path: readonly string[];
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  /** Null where it was not there. */
  readonly before: unknown;
  /** Null where it is gone. */
  readonly after: unknown;
}

/** Two documents that differ in many parts differ; who wants all of them compares the documents. */
export const MAX_PARTS = 1000;

/**
 * Members of objects are compared one by one, down to `depth` names below `path`, and what is below as a whole. What is
 * undefined is not there; the order of members makes no difference.
 */
export function partDifferences(
  before: unknown,
  after: unknown,
  depth: number,
  path: readonly string[] = [],
): readonly PartDifference[] {
  if (before === undefined) return after === undefined ? [] : [{ path, kind: 'ADDED', before: null, after }];
  if (after === undefined) return [{ path, kind: 'REMOVED', before, after: null }];
  if (depth === 0 || !isObject(before) || !isObject(after))
    return isSameJson(before, after) ? [] : [{ path, kind: 'CHANGED', before, after }];
  const memberOf = (whole: Readonly<Record<string, unknown>>, name: string): unknown =>
    Object.hasOwn(whole, name) ? whole[name] : undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    partDifferences(memberOf(before, name), memberOf(after, name), depth - 1, [...path, name]),
  );
}

/** Without members that are null, as if they had not been given. */
export const givenMembers = (whole: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null));

/** The parts that an answer tells, and whether these are all. */
export const toldParts = (
  parts: readonly PartDifference[],
): { readonly differences: readonly PartDifference[]; readonly isComplete: boolean } => ({
  differences: parts.slice(0, MAX_PARTS),
  isComplete: parts.length <= MAX_PARTS,
});
