// The subgraph's own writes to metadata: entities that productions made, and the availability of those whose
// files changed.
import { randomUUID } from 'node:crypto';
import { nodeKey } from '../../platform/causal-links.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import { type AskPlatform, question } from './platform-port.ts';

/**
 * The actor of writes that are not on behalf of a caller (docs/reference/artifact.md#provenance).
 * @param production that causes them
 */
export const asService = (signal?: AbortSignal, production?: string): Caller => ({
  actor: 'service:artifact',
  roles: ['service'],
  projects: '*',
  requestId: randomUUID(),
  ...(signal === undefined ? {} : { signal }),
  ...(production === undefined ? {} : { cause: nodeKey('production', production) }),
});

const SET_AVAILABILITY = `mutation ArtifactAvailability($entityType: String!, $ids: [ID!]!, $available: Boolean!, $reason: String, $context: ProvenanceContext) {
  setAvailabilityBulk(entityType: $entityType, entityIds: $ids, available: $available, reason: $reason, context: $context) { updated errors { entityId code message } }
}`;

interface BulkAvailability {
  readonly updated: number;
  readonly errors: readonly { readonly entityId: string; readonly code: number; readonly message: string }[];
}

/**
 * Changes the availability of entities of one type, with an event that says why. Missing entities are
 * skipped.
 * @throws DomainError as metadata refuses
 */
export async function setAvailability(
  ask: AskPlatform,
  entityType: string,
  ids: readonly string[],
  available: boolean,
  reason: string,
  context: unknown,
  production?: string,
): Promise<void> {
  if (ids.length === 0) return;
  const { errors } = await question<BulkAvailability>(
    ask,
    SET_AVAILABILITY,
    'setAvailabilityBulk',
    { entityType, ids, available, reason, context },
    asService(undefined, production),
  );
  const refused = errors.find(({ code }) => code !== 404);
  if (refused)
    throw new DomainError(
      'conflict',
      `${refused.entityId} could not be made ${available ? 'available' : 'unavailable'}: ${refused.message}`,
    );
}
