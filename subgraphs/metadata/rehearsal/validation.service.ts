// Validates a write without making it (docs/reference/metadata.md#asking-without-writing).
import { badRequest, DomainError, invalid } from '../../../platform/errors.ts';
import { setAvailability } from '../availability/availability-writes.ts';
import { ingest, update } from '../entities/entity-writes.ts';
import { readIngest, readUpdate } from '../entities/ingest-request.ts';
import { isVisible } from '../reading/visibility.ts';
import type { Validate } from '../log/working-set.ts';
import type { Author, EntityState, Write } from '../log/write.ts';
import type { ValidationPipeline } from '../validation/pipeline.ts';
import { refuse, ValidationFailed } from '../validation/validation-failed.ts';
import type { ValidatedOperation, ValidationFailure } from '../schema-model/validator.ts';

export interface ValidationDeps {
  readonly pipeline: ValidationPipeline;
  /** Decides a write without making it. @throws what the write throws */
  rehearse<Result>(write: Write<Result>, validate: Validate): Promise<Result>;
}

export interface ValidationRequest {
  readonly entityType: string;
  readonly id: string | null;
  readonly data: unknown;
  /** Null for the behaviour of ingest. */
  readonly operation: ValidatedOperation | null;
  readonly all: boolean;
}

export interface ValidationReport {
  readonly valid: boolean;
  readonly failures: readonly ValidationFailure[];
}

/** An ingest that may also create. */
function create(request: Parameters<typeof ingest>[0]): Write<EntityState> {
  const write = ingest(request);
  return {
    ...write,
    decide(view) {
      const present = view.entity(request.id);
      if (present && isVisible(request.author, present.project))
        throw invalid(`entity ${request.id} already exists`, { field: 'id' });
      return write.decide(view);
    },
  };
}

function writeOf(
  { operation, entityType, id, data }: ValidationRequest,
  author: Author,
): { id: string; write: Write<EntityState> } {
  if (operation === null || operation === 'create') {
    const request = readIngest(entityType, data, id, author);
    return { id: request.id, write: operation === null ? ingest(request) : create(request) };
  }
  if (id === null)
    throw badRequest(`id is required to validate ${operation === 'update' ? 'an update' : 'a delete'}`);
  if (operation === 'update')
    return { id, write: update({ entityType, id, data: readUpdate(id, data), ifVersion: null, author }) };
  return {
    id,
    write: setAvailability({ id, entityType, isAvailable: false, reason: null, ifVersion: null, author }),
  };
}

export class ValidationService {
  readonly #deps: ValidationDeps;
  constructor(deps: ValidationDeps) {
    this.#deps = deps;
  }

  /**
   * The faults that would prevent the write: failures of validators, and data that cannot be stored.
   * @throws DomainError `not_found` for an unknown entity or type, `project_scope_denied`, `invalid_request`
   */
  async validate(request: ValidationRequest, author: Author): Promise<ValidationReport> {
    const { pipeline } = this.#deps;
    const failures: ValidationFailure[] = [];
    const { id, write } = writeOf(request, author);
    try {
      await this.#deps.rehearse(write, (asked) => {
        if (request.all) failures.push(...pipeline.executeAll(asked));
        else refuse(pipeline.execute(asked));
      });
    } catch (error) {
      if (error instanceof ValidationFailed) failures.push(...error.failures);
      else if (error instanceof DomainError && error.code === 'validation_failed') {
        failures.push({
          message: error.message,
          ruleId: null,
          inputContext: error.details,
          entityType: request.entityType,
          entityId: id,
        });
      } else throw error;
    }
    return { valid: failures.length === 0, failures };
  }
}

/** The slice of the resolvers' context. */
export interface ValidationSlice {
  readonly validation: ValidationService;
}
