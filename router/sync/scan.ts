// Compares the entities that finished runs and productions declared with metadata
// (docs/reference/gateway.md#consistency-scans).
import { createHash, randomBytes } from 'node:crypto';

/** An entity that a run or production declared. */
export interface ExpectedEntity {
  readonly entityType: string;
  readonly externalId: string;
}

/** The declarations of one finished run or production. */
export interface Declaration {
  /** `workflow` or `artifact`. */
  readonly source: string;
  /** The id of the run or production. */
  readonly sourceId: string;
  /** Its actor. */
  readonly actor: string;
  readonly entities: readonly ExpectedEntity[];
}

/** The queries of a scan to the components, through the router. */
export interface ScanDeps {
  declared(signal: AbortSignal): AsyncIterable<Declaration>;
  /** Whether metadata has each of them, by position. */
  exist(entities: readonly ExpectedEntity[]): Promise<readonly boolean[]>;
}

export const MISMATCH = 'gateway.sync.mismatch';

export interface Mismatch {
  readonly id: string;
  readonly eventType: typeof MISMATCH;
  readonly source: string;
  readonly sourceId: string;
  readonly actor: string;
  readonly details: {
    readonly missing_entities: readonly { readonly entity_type: string; readonly external_id: string }[];
  };
  /** Equal for the same source and the same missing entities, in any order. */
  readonly dedupeKey: string;
}

function mismatchOf({ source, sourceId, actor }: Declaration, missing: readonly ExpectedEntity[]): Mismatch {
  const pairs = missing.map(({ entityType, externalId }) => JSON.stringify([entityType, externalId])).sort();
  return {
    id: `evt_${randomBytes(12).toString('hex')}`,
    eventType: MISMATCH,
    source,
    sourceId,
    actor,
    details: {
      missing_entities: missing.map(({ entityType, externalId }) => ({
        entity_type: entityType,
        external_id: externalId,
      })),
    },
    dedupeKey: createHash('sha256')
      .update(JSON.stringify([source, sourceId, [...new Set(pairs)]]))
      .digest('hex'),
  };
}

/** Maximum declarations per query. */
const BATCH = 200;

async function* batches(declarations: AsyncIterable<Declaration>): AsyncIterable<readonly Declaration[]> {
  let batch: Declaration[] = [];
  for await (const declaration of declarations) {
    batch.push(declaration);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/**
 * One pass over all declarations. `found` receives each mismatch; an exception of it or of a query ends the
 * scan.
 */
export async function scan(
  deps: ScanDeps,
  found: (mismatch: Mismatch) => Promise<void>,
  signal: AbortSignal,
  progress: { checked: number; mismatches: number },
): Promise<void> {
  for await (const batch of batches(deps.declared(signal))) {
    signal.throwIfAborted();
    const present = await deps.exist(batch.flatMap(({ entities }) => entities));
    let at = 0;
    for (const declaration of batch) {
      const missing = declaration.entities.filter(() => present[at++] !== true);
      progress.checked++;
      if (missing.length === 0) continue;
      progress.mismatches++;
      await found(mismatchOf(declaration, missing));
    }
  }
}
