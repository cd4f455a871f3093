// Availability: deleting, changing one entity, changing many at once (spec 2 «Availability», «bulk-availability»).
import type { WantedVersion } from '../entities/entity-writes.ts';
import { DomainError, masked } from '../../../platform/errors.ts';
import { type WrittenEntity, whole } from '../entities/entities.service.ts';
import type { Author, Write, Written } from '../provenance/write.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { setAvailability } from './availability-writes.ts';

export interface AvailabilityPorts {
  readonly catalogue: () => SchemaCatalogue;
  write<Result>(write: Write<Result>): Promise<Written<Result>>;
  /** Outcomes by position. */
  writeAll(writes: readonly Write<unknown>[]): Promise<readonly (Written<unknown> | Error)[]>;
  /** Gets what went wrong with one entity of many and is nobody's to know. */
  onFault(fault: unknown): void;
}

export interface BulkError {
  readonly entityId: string;
  readonly code: number;
  readonly message: string;
}
export interface BulkOutcome {
  readonly updated: number;
  readonly errors: readonly BulkError[];
}

/** An empty reason says as little as none. */
const given = (reason: string | null): string | null => (reason?.trim() ? reason : null);

export class AvailabilityService {
  readonly #ports: AvailabilityPorts;
  constructor(ports: AvailabilityPorts) {
    this.#ports = ports;
  }

  /** DELETE /entities/{entity_id}. @throws DomainError `not_found`, `precondition_failed` */
  async remove(
    request: { id: string; entityType: string | null; ifVersion: WantedVersion; reason: string | null },
    author: Author,
  ): Promise<WrittenEntity> {
    return whole(
      await this.#ports.write(
        setAvailability({
          ...request,
          isAvailable: false,
          reason: given(request.reason) ?? 'deleted',
          author,
        }),
      ),
    );
  }

  /** POST /entities/{entity_id}/availability. @throws DomainError `not_found` */
  async set(id: string, isAvailable: boolean, reason: string | null, author: Author): Promise<WrittenEntity> {
    return whole(
      await this.#ports.write(
        setAvailability({
          id,
          entityType: null,
          isAvailable,
          reason: given(reason),
          ifVersion: null,
          author,
        }),
      ),
    );
  }

  /**
   * POST /entities/{entity_type}/bulk-availability: each entity succeeds or fails alone; one that is named twice counts once.
   * @throws DomainError `not_found` for an unknown type
   */
  async setMany(
    entityType: string,
    ids: readonly string[],
    available: boolean,
    reason: string | null,
    author: Author,
  ): Promise<BulkOutcome> {
    if (!this.#ports.catalogue().get(entityType))
      throw new DomainError('not_found', `entity type not found: ${entityType}`, {
        reason: 'entity_type_not_found',
        entity_type: entityType,
      });
    const distinct = [...new Set(ids)];
    const request = { entityType, isAvailable: available, reason: given(reason), ifVersion: null, author };
    const outcomes = await this.#ports.writeAll(distinct.map((id) => setAvailability({ ...request, id })));
    const errors: BulkError[] = [];
    for (const [i, entityId] of distinct.entries()) {
      const outcome = outcomes[i];
      if (!(outcome instanceof Error)) continue;
      const { code, status, message } = masked(outcome);
      if (code === 'internal_error') this.#ports.onFault(outcome);
      errors.push({ entityId, code: status, message });
    }
    return { updated: distinct.length - errors.length, errors };
  }
}
