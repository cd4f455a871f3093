// Starts the conversion of stored datetime fields with the component.
import type { MetadataDeps } from '../noun.ts';
import { pageOfData } from '../log/schemas.store.ts';
import { markKept, typesKept } from './instants.store.ts';
import { keepInstants } from './keep-instants.ts';

/** Returns a function that stops it and waits for the current write. */
export function keepStoredInstants({
  database: { pool },
  catalogue,
  door,
  log,
}: Pick<MetadataDeps, 'database' | 'catalogue' | 'door' | 'log'>): () => Promise<void> {
  const over = new AbortController();
  const keeping = keepInstants(
    {
      catalogue,
      pageOf: (type, after) => pageOfData(pool, [type], after, 500),
      writeAll: (writes) => door.writeAll(writes),
      done: () => typesKept(pool),
      markDone: (type) => markKept(pool, type),
    },
    log,
    () => over.signal.aborted,
  ).catch((err: unknown) => {
    if (!over.signal.aborted)
      log.error({ err }, 'stored datetime fields could not be converted: trying again at the next start');
  });
  return () => {
    over.abort();
    return keeping;
  };
}
