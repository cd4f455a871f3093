// What a batch is decided by, and how it is made ready to be sent.
import { writeEachAhead } from '../../../platform/json-text.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { type AnyWrite, isNeeds, needsOf } from './batch-parts.ts';
import { knownSchemas } from './log-metrics.ts';
import type { LargeData, OpenLog, SchemaMark } from './open-log.ts';
import type { Loaded } from './pending.ts';
import { writtenData } from './settle.ts';
import type { WorkingSet } from './working-set.ts';
import type { Needs } from './write.ts';

/** The schemas of the transaction, what each write needs, and all of that as it is stored. */
export interface BatchRead {
  readonly catalogue: SchemaCatalogue;
  readonly needs: readonly (Needs | Error)[];
  readonly loaded: Loaded;
}

/**
 * Mostly under the lock of the log: it does not wait for others' turns.
 * @param known the schemas last known, and what the writes need by them where that is known, too
 */
export async function readBatch(
  log: OpenLog,
  writes: readonly AnyWrite[],
  large: LargeData,
  known: Pick<BatchRead, 'catalogue'> & Partial<Pick<BatchRead, 'needs'>>,
): Promise<BatchRead> {
  const isKnown = isOf(known.catalogue, log.mark);
  if (isKnown) knownSchemas.hits++;
  else knownSchemas.misses++;
  const catalogue = isKnown ? known.catalogue : await log.catalogue(known.catalogue);
  const needs = (isKnown ? known.needs : undefined) ?? needsOf(writes, catalogue);
  return { catalogue, needs, loaded: await log.load(needs.filter(isNeeds), large) };
}

const isOf = (known: SchemaCatalogue, { revision, server }: SchemaMark): boolean =>
  known.revision === revision && known.server === server;

/** Its values are written as text one by one, and then put together. */
export async function readied(log: OpenLog, set: WorkingSet): Promise<void> {
  const forget = await writeEachAhead(writtenData(set));
  try {
    await log.ready(set);
  } finally {
    forget();
  }
}
