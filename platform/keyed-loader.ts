// Batches look-ups that resolvers of one operation make one by one, where the look-up also has arguments.
import DataLoader from 'dataloader';

/**
 * A look-up by id and arguments over one of many ids: ids asked for with equal arguments in one tick are one call of `load`.
 * Lives as long as one operation. An id that `load` says nothing of gets `absent`.
 */
export function keyedLoader<Args, Value>(
  load: (ids: readonly string[], args: Args) => Promise<ReadonlyMap<string, Value>>,
  absent: Value,
): (id: string, args: Args) => Promise<Value> {
  const loaders = new Map<string, DataLoader<string, Value>>();
  return (id, args) => {
    const key = JSON.stringify(args) ?? '';
    let loader = loaders.get(key);
    if (loader === undefined) {
      loader = new DataLoader<string, Value>(async (ids) => {
        const found = await load(ids, args);
        return ids.map((i) => found.get(i) ?? absent);
      });
      loaders.set(key, loader);
    }
    return loader.load(id);
  };
}
