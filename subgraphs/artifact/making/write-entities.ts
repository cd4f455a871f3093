// Writes what a production has made into metadata: all of it in one transaction, or nothing (through the platform's graph, as this service).
import { DomainError } from '../../../platform/errors.ts';
import { asService } from '../as-service.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import type { IdentifiedEntity } from './made-entities.ts';
import { ProductionFailed } from './production-failed.ts';

const INGEST = `mutation ArtifactIngest($entities: [IngestedEntity!]!, $context: ProvenanceContext) {
  ingestEntities(entities: $entities, context: $context, allOrNothing: true) { errors { index code message } }
}`;

interface Ingested { readonly errors: readonly { readonly index: number; readonly code: number; readonly message: string }[] }

/** @param context what provenance keeps with each of them @throws ProductionFailed `ingestion_error` naming the entity that was refused */
export async function writeEntities(ask: AskPlatform, entities: readonly IdentifiedEntity[], context: unknown, stop: AbortSignal): Promise<void> {
  const sent = entities.map(({ id, item, data }) => ({ id, entityType: item.entity_type, data }));
  const { errors } = await question<Ingested>(ask, INGEST, 'ingestEntities', { entities: sent, context }, asService(stop)).catch((fault: unknown) => {
    throw fault instanceof DomainError && fault.code === 'validation_failed' ? new ProductionFailed('ingestion_error', fault.message, { ...fault.details }, { cause: fault }) : fault;
  });
  const [first] = errors;
  if (first === undefined) return;
  const entity = entities[first.index];
  throw new ProductionFailed('ingestion_error', `${entity?.item.entity_type ?? 'an entity'}${entity?.index == null ? '' : ` (item ${entity.index})`} was refused by metadata: ${first.message}`, { errors });
}
