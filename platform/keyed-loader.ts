// Batches lookups of the resolvers of one operation, where the lookup also has arguments.
import DataLoader from 'dataloader';

/** Look-ups of one operation that are made together. */
export type Batched<Args, Value> = (id: string, args: Args) => Promise<Value>;

/**
 * Returns a lookup by id and arguments. Ids that are looked up with equal arguments in one tick share one
 * call of `load`. It lives as long as one operation. An id that `load` does not return gets `absent`.
 */
export function keyedLoader<Args, Value>(
  load: (ids: readonly string[], args: Args) => Promise<ReadonlyMap<string, Value>>,
  absent: Value,
): Batched<Args, Value> {
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
