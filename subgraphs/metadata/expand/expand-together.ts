// Batches the expansion of one operation's entities by equal paths and moment.
import DataLoader from 'dataloader';
import type { Expanded, ExpandSource, Expansion } from './expand.service.ts';

type Expand = (sources: readonly ExpandSource[], paths: string, at: string | null) => Promise<Expanded>;

/** @param warn receives the warnings of the answer */
export function expandTogether(
  expand: Expand,
  warn: (warnings: readonly string[]) => void,
): (source: ExpandSource, paths: string) => Promise<Expansion> {
  const loaders = new Map<string, DataLoader<ExpandSource, Expansion>>();
  return (source, paths) => {
    const at = source.at ?? null;
    const key = JSON.stringify([paths, at]);
    let loader = loaders.get(key);
    if (!loader) {
      loader = new DataLoader(
        async (sources) => {
          const { expansions, warnings } = await expand(sources, paths, at);
          warn(warnings);
          return expansions;
        },
        { maxBatchSize: 1000 },
      );
      loaders.set(key, loader);
    }
    return loader.load(source);
  };
}
