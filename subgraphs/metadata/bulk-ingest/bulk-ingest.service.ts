// Ingests many entities in one call: few transactions, one outcome for each entity.
import { type ErrorDetails, invalid, masked } from '../../../platform/errors.ts';
import { type WrittenEntity, withTimestamps } from '../entities/entities.service.ts';
import { ingest, type IngestRequest } from '../entities/entity-writes.ts';
import { readIngest } from '../entities/ingest-request.ts';
import type { Author, EntityState, Write, Written } from '../log/write.ts';
import { ValidationFailed } from '../validation/validation-failed.ts';
import { outcomesTogether } from './all-or-nothing.ts';

/** Maximum number of entities per call, because they are answered together. */
const MAX_ENTITIES = 5000;

export interface BulkIngestDeps {
  /** Outcomes by position. */
  writeAll<Result>(writes: readonly Write<Result>[]): Promise<readonly (Written<Result> | Error)[]>;
  /** Receives an unexpected error of one entity of many; the caller only sees a generic error. */
  onFault(fault: unknown): void;
}

export interface SentEntity {
  readonly entityType: string;
  readonly id?: string | null;
  readonly data: unknown;
  readonly ifVersion?: number | null;
}
export interface BulkIngestError {
  readonly index: number;
  readonly code: number;
  readonly message: string;
  readonly ruleId: string | null;
  readonly details: ErrorDetails;
}
export type IngestChange = 'CREATED' | 'UPDATED' | 'UNCHANGED';

export interface BulkIngest {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly results: readonly (WrittenEntity | null)[];
  readonly changes: readonly (IngestChange | null)[];
  readonly errors: readonly BulkIngestError[];
}

interface Ingested {
  readonly state: EntityState;
  readonly change: IngestChange;
}

/** An ingest whose result says what it did. */
function telling(request: IngestRequest): Write<Ingested> {
  const { decideInTurns: _, ...write } = ingest(request);
  return {
    ...write,
    decide(view) {
      const before = view.entity(request.id);
      const state = write.decide(view);
      if (before === undefined) return { state, change: 'CREATED' };
      return { state, change: state === before ? 'UNCHANGED' : 'UPDATED' };
    },
  };
}

/** The first rule that failed: a write stops there. */
const ruleOf = (outcome: Error): string | null =>
  outcome instanceof ValidationFailed ? (outcome.failures[0]?.ruleId ?? null) : null;

function attempt(sent: SentEntity, author: Author): Write<Ingested> | Error {
  try {
    return telling({
      ...readIngest(sent.entityType, sent.data, sent.id ?? null, author),
      ifVersion: sent.ifVersion ?? null,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export class BulkIngestService {
  readonly #deps: BulkIngestDeps;
  constructor(deps: BulkIngestDeps) {
    this.#deps = deps;
  }

  /**
   * Writes in the order of the list, so that of two entries with one id the second merges into the first.
   * @param allOrNothing writes nothing if one entry is refused
   * @throws DomainError `validation_failed` for too many entries
   */
  async ingest(sent: readonly SentEntity[], author: Author, allOrNothing = false): Promise<BulkIngest> {
    if (sent.length > MAX_ENTITIES)
      throw invalid(`a call may contain at most ${MAX_ENTITIES} entities, not ${sent.length}`, {
        field: 'entities',
        maximum: MAX_ENTITIES,
      });
    const writes = sent.map((one) => attempt(one, author));
    const outcomes = allOrNothing
      ? await outcomesTogether(writes, (all) => this.#deps.writeAll(all))
      : await this.#outcomes(writes);
    const counts = { CREATED: 0, UPDATED: 0, UNCHANGED: 0 };
    const changes: (IngestChange | null)[] = [];
    const errors: BulkIngestError[] = [];
    const results = outcomes.map((outcome, index): WrittenEntity | null => {
      if (outcome === null) {
        // another entry was refused
        changes.push(null);
        return null;
      }
      if (outcome instanceof Error) {
        const { code, status, message, details } = masked(outcome);
        if (code === 'internal_error') this.#deps.onFault(outcome);
        errors.push({ index, code: status, message, ruleId: ruleOf(outcome), details });
        changes.push(null);
        return null;
      }
      counts[outcome.result.change]++;
      changes.push(outcome.result.change);
      return withTimestamps({ result: outcome.result.state, times: outcome.times });
    });
    return {
      created: counts.CREATED,
      updated: counts.UPDATED,
      unchanged: counts.UNCHANGED,
      results,
      changes,
      errors,
    };
  }

  async #outcomes(
    attempts: readonly (Write<Ingested> | Error)[],
  ): Promise<readonly (Written<Ingested> | Error)[]> {
    const written = (
      await this.#deps.writeAll(attempts.filter((w): w is Write<Ingested> => !(w instanceof Error)))
    )[Symbol.iterator]();
    return attempts.map((attempted) =>
      attempted instanceof Error
        ? attempted
        : (written.next().value ?? new Error('the write has no outcome')),
    );
  }
}

/** The slice of the resolvers' context. */
export interface BulkIngestSlice {
  readonly bulkIngest: BulkIngestService;
}
