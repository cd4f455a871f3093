// The rows of an answer of GraphQL: its one list, whose items become cells by the paths of their fields.
import { isObject } from '../platform/json-object.ts';
import type { Json } from './api.ts';
import { Failure } from './failure.ts';

interface FoundList {
  readonly path: string;
  readonly items: readonly Json[];
}

const objectsIn = (list: readonly unknown[]): readonly Json[] => list.filter(isObject);

/** A Relay connection's entities; null for anything else. */
function nodesOf(value: Json): readonly Json[] | null {
  const { nodes, edges } = value;
  if (Array.isArray(nodes)) return objectsIn(nodes);
  return Array.isArray(edges) ? objectsIn(objectsIn(edges).map(({ node }) => node)) : null;
}

function listsIn(value: unknown, path: string): FoundList[] {
  if (Array.isArray(value)) return [{ path, items: objectsIn(value) }];
  if (!isObject(value)) return [];
  const nodes = nodesOf(value);
  if (nodes !== null) return [{ path, items: nodes }];
  return Object.entries(value).flatMap(([name, inner]) =>
    listsIn(inner, path === '' ? name : `${path}.${name}`),
  );
}

/**
 * The items of the list that an answer has, wherever it is; of a connection its nodes.
 * @throws Failure where it has none, or several
 */
export function rowsOf(data: unknown): readonly Json[] {
  const lists = listsIn(data, '');
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only.items;
  throw new Failure(
    lists.length === 0
      ? 'the answer has no list: tables, CSV and NDJSON are of one; -o json shows it as it is'
      : `the answer has ${lists.length} lists, and a table is of one: ${lists.map(({ path }) => path).join(', ')}`,
  );
}

/** Items with the fields of their inner objects under their paths, and the names of all; lists stay as they are. */
export function asColumns(rows: readonly Json[]): {
  readonly items: readonly Json[];
  readonly names: readonly string[];
} {
  const cells = rows.map((row) => flattened(row));
  const all = [...new Set(cells.flatMap((item) => Object.keys(item)))];
  // an object that is null in one row has its fields in others
  const names = all.filter((name) => !all.some((other) => other.startsWith(`${name}.`)));
  return { items: cells.map((item) => Object.fromEntries(names.map((name) => [name, item[name]]))), names };
}

function flattened(item: Json, prefix = ''): Json {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      isObject(value) ? Object.entries(flattened(value, `${prefix}${name}.`)) : [[`${prefix}${name}`, value]],
    ),
  );
}
