// Changes of availability, as decisions under the log's lock (docs/reference/metadata.md#availability).
import { checkVersion, presentEntity, type WantedVersion } from '../entities/entity-writes.ts';
import type { Author, EntityState, Write } from '../log/write.ts';

export interface AvailabilityRequest {
  readonly id: string;
  /** Null for any type. */
  readonly entityType: string | null;
  readonly isAvailable: boolean;
  readonly reason: string | null;
  readonly ifVersion: WantedVersion;
  readonly author: Author;
}

/** The reason that is recorded if none was given, docs/reference/metadata.md#availability-of-one-entity. */
const NO_REASON = 'not given';

/**
 * An entity that already has the availability is answered unchanged, without an event
 * (docs/reference/metadata.md#writes-that-change-nothing).
 */
export function setAvailability({
  id,
  entityType,
  isAvailable,
  reason,
  ifVersion,
  author,
}: AvailabilityRequest): Write<EntityState> {
  return {
    author,
    needs: () => ({ entities: [id] }),
    decide(view) {
      const present = presentEntity(view, author, id, entityType);
      checkVersion(present, ifVersion);
      if (present.isAvailable === isAvailable) return present;
      return view.setAvailability(id, isAvailable, isAvailable ? reason : (reason ?? NO_REASON));
    },
  };
}
