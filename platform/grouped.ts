// Groups a statement's rows by key (`Map.groupBy` requires Node 21).

/** Returns the values of the rows under each key, in the order of the rows. */
export function grouped<Row, Value = Row>(
  rows: readonly Row[],
  key: (row: Row) => string,
  value: (row: Row) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const name = key(row);
    const group = groups.get(name);
    if (group) group.push(value(row));
    else groups.set(name, [value(row)]);
  }
  return groups;
}
