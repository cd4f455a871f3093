/** Maps with limited concurrency: so many at a time, and the next ones when all of these are done. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += most)
    results.push(...(await Promise.all(items.slice(at, at + most).map(work))));
  return results;
}
