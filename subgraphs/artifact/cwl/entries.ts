// CWL's notations: maps, lists that may be written as maps, and identifiers that may be written as URLs.
import type { CwlPath } from './problem.ts';
import { isList, isObject } from '../../../platform/json-object.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** A value as a list: a single one becomes a list of one, undefined an empty list. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
};

/** The last part of an identifier: `file.cwl#main/step/out` → `out`. */
export function shortName(id: unknown): string {
  if (typeof id !== 'string') return '';
  const fragment = id.slice(id.lastIndexOf('#') + 1);
  return fragment.slice(fragment.lastIndexOf('/') + 1);
}

export interface Entry {
  readonly value: Mapping;
  /** The last part of its identifier; empty if it has none. */
  readonly name: string;
  readonly path: CwlPath;
}

/**
 * The entries of a list that may also be a map from its `subject` field, where a value that is not a map
 * stands for its `predicate` field (CWL «map» notation). Null if it is neither; entries of a list that are
 * not maps are `strays`.
 */
export function entriesOf(
  value: unknown,
  path: CwlPath,
  subject: string,
  predicate: string,
): { entries: readonly Entry[]; strays: readonly CwlPath[] } | null {
  if (value === undefined || value === null) return { entries: [], strays: [] };
  if (isList(value)) {
    const found = value.map((item, i) => ({ item, path: [...path, i] }));
    return {
      entries: found.flatMap(({ item, path: at }) =>
        isObject(item) ? [{ value: item, name: shortName(item[subject]), path: at }] : [],
      ),
      strays: found.flatMap(({ item, path: at }) => (isObject(item) ? [] : [at])),
    };
  }
  if (!isObject(value)) return null;
  return {
    entries: Object.entries(value).map(([key, held]) => ({
      value: { ...(isObject(held) ? held : { [predicate]: held }), [subject]: key },
      name: shortName(key),
      path: [...path, key],
    })),
    strays: [],
  };
}
