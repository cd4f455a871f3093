// Writes a production's entities to metadata in one transaction (through the platform's graph, as this
// service).
import { DomainError } from '../../../platform/errors.ts';
import { asService } from '../as-service.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import type { IdentifiedEntity } from './produced-entities.ts';
import { ProductionFailed } from './production-failed.ts';

const INGEST = `mutation ArtifactIngest($entities: [IngestedEntity!]!, $context: ProvenanceContext) {
  ingestEntities(entities: $entities, context: $context, allOrNothing: true) { changes errors { index code message } }
}`;

interface Ingested {
  readonly changes: readonly (string | null)[];
  readonly errors: readonly { readonly index: number; readonly code: number; readonly message: string }[];
}

/** One of the entities has changed since it was read: nothing was written. */
export class Outdated extends Error {
  override name = 'Outdated';
}

const PRECONDITION_FAILED = 412;

export interface WrittenOne extends IdentifiedEntity {
  /** The version of the existing entity; null for a new one. */
  readonly ifVersion: number | null;
}

/**
 * @param context the provenance of each of them @param production that made them @returns the ids of those that have changed
 * @throws ProductionFailed `ingestion_error` naming the entity that was refused; Outdated
 */
export async function writeEntities(
  ask: AskPlatform,
  entities: readonly WrittenOne[],
  context: unknown,
  production: string,
  stop: AbortSignal,
): Promise<ReadonlySet<string>> {
  const sent = entities.map(({ id, item, data, ifVersion }) => ({
    id,
    entityType: item.entity_type,
    data,
    ifVersion,
  }));
  const { changes, errors } = await question<Ingested>(
    ask,
    INGEST,
    'ingestEntities',
    { entities: sent, context },
    asService(stop, production),
  ).catch((fault: unknown) => {
    throw fault instanceof DomainError && fault.code === 'validation_failed'
      ? new ProductionFailed('ingestion_error', fault.message, { ...fault.details }, { cause: fault })
      : fault;
  });
  const [first] = errors;
  if (first === undefined)
    return new Set(entities.filter((_, i) => changes[i] !== 'UNCHANGED').map(({ id }) => id));
  if (errors.some(({ code }) => code === PRECONDITION_FAILED)) throw new Outdated(first.message);
  const entity = entities[first.index];
  throw new ProductionFailed(
    'ingestion_error',
    `${entity?.item.entity_type ?? 'an entity'}${entity?.index == null ? '' : ` (item ${entity.index})`} was rejected by metadata: ${first.message}`,
    { errors },
  );
}
