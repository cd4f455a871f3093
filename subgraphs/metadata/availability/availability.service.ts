// Availability: deleting, changing one entity, changing many (docs/reference/metadata.md#availability).
import { DomainError, masked } from '../../../platform/errors.ts';
import { type WrittenEntity, withTimestamps } from '../entities/written-entity.ts';
import { meantType, type WantedVersion } from '../entities/entity-writes.ts';
import type { Author, Write, Written } from '../log/write.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { setAvailability } from './availability-writes.ts';

export interface AvailabilityDeps {
  readonly catalogue: () => SchemaCatalogue;
  write<Result>(write: Write<Result>): Promise<Written<Result>>;
  /** Outcomes by position. */
  writeAll(writes: readonly Write<unknown>[]): Promise<readonly (Written<unknown> | Error)[]>;
  /** Receives an unexpected error of one entity of many; the caller only sees a generic error. */
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

/** An empty reason counts as none. */
const given = (reason: string | null): string | null => (reason?.trim() ? reason : null);

export class AvailabilityService {
  readonly #deps: AvailabilityDeps;
  constructor(deps: AvailabilityDeps) {
    this.#deps = deps;
  }

  /** DELETE /entities/{entity_id}. @throws DomainError `not_found`, `precondition_failed` */
  async remove(
    request: { id: string; entityType: string | null; ifVersion: WantedVersion; reason: string | null },
    author: Author,
  ): Promise<WrittenEntity> {
    return withTimestamps(
      await this.#deps.write(
        setAvailability({
          ...request,
          isAvailable: false,
          reason: given(request.reason) ?? 'deleted',
          author,
        }),
      ),
    );
  }

  /** POST /entities/{entity_id}/availability. @throws DomainError `not_found`, `precondition_failed` */
  async set(
    request: { id: string; isAvailable: boolean; ifVersion: WantedVersion; reason: string | null },
    author: Author,
  ): Promise<WrittenEntity> {
    return withTimestamps(
      await this.#deps.write(
        setAvailability({ ...request, entityType: null, reason: given(request.reason), author }),
      ),
    );
  }

  /**
   * POST /entities/{entity_type}/bulk-availability: each entity succeeds or fails alone; duplicates count
   * once.
   * @throws DomainError `not_found` for an unknown type
   */
  async setMany(
    entityType: string,
    ids: readonly string[],
    available: boolean,
    reason: string | null,
    author: Author,
  ): Promise<BulkOutcome> {
    const catalogue = this.#deps.catalogue();
    if (!catalogue.get(entityType))
      throw new DomainError(
        'not_found',
        `entity type not found: ${entityType}${meantType(catalogue, entityType)}`,
        { reason: 'entity_type_not_found', entity_type: entityType },
      );
    const distinct = [...new Set(ids)];
    const request = { entityType, isAvailable: available, reason: given(reason), ifVersion: null, author };
    const outcomes = await this.#deps.writeAll(distinct.map((id) => setAvailability({ ...request, id })));
    const errors: BulkError[] = [];
    for (const [i, entityId] of distinct.entries()) {
      const outcome = outcomes[i];
      if (!(outcome instanceof Error)) continue;
      const { code, status, message } = masked(outcome);
      if (code === 'internal_error') this.#deps.onFault(outcome);
      errors.push({ entityId, code: status, message });
    }
    return { updated: distinct.length - errors.length, errors };
  }
}

/** The slice of the resolvers' context. */
export interface AvailabilitySlice {
  readonly availability: AvailabilityService;
}
