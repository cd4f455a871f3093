// Ingests many entities in one call: few transactions, one outcome for each entity.
import { type ErrorDetails, invalid, masked } from '../../../platform/errors.ts';
import { manyInTurns } from '../../../platform/turns.ts';
import { type WrittenEntity, withTimestamps } from '../entities/written-entity.ts';
import { ingest, type IngestRequest } from '../entities/entity-writes.ts';
import { readIngest } from '../entities/ingest-request.ts';
import type { Author, EntityState, Write, Written } from '../log/write.ts';
import { ValidationFailed } from '../validation/validation-failed.ts';
import { outcomesTogether } from './all-or-nothing.ts';

/** Maximum number of entities per call, because they are answered together. */
const MAX_ENTITIES = 5000;
/** The same where they have to be judged together: all or nothing, and dry runs. */
const MAX_TOGETHER = 20_000;

export interface BulkIngestDeps {
  /** Outcomes by position. */
  writeAll<Result>(writes: readonly Write<Result>[]): Promise<readonly (Written<Result> | Error)[]>;
  /** Decides them in order, each on what those before it do, and writes nothing. Outcomes by position. */
  rehearseAll<Result>(writes: readonly Write<Result>[]): Promise<readonly (Result | Error)[]>;
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

/** What an ingest would do. */
interface Rehearsed {
  readonly result: Ingested;
}

export interface IngestMode {
  /** Writes nothing if one entry is refused. */
  readonly allOrNothing?: boolean | undefined;
  /** Decides each entry, and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Entities from which on work with all of them takes turns with others. */
const MANY = 256;

const isWrite = (attempted: Write<Ingested> | Error): attempted is Write<Ingested> =>
  !(attempted instanceof Error);

/** The outcomes of the writes among the attempts, with the errors of the others in their places. */
function inPlace<Outcome>(
  attempts: readonly (Write<Ingested> | Error)[],
  outcomes: readonly Outcome[],
): readonly (Outcome | Error)[] {
  const next = outcomes[Symbol.iterator]();
  return attempts.map((attempted) =>
    attempted instanceof Error ? attempted : (next.next().value ?? new Error('the write has no outcome')),
  );
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
   * @throws DomainError `validation_failed` for too many entries
   */
  async ingest(
    sent: readonly SentEntity[],
    author: Author,
    { allOrNothing = false, dryRun = false }: IngestMode = {},
  ): Promise<BulkIngest> {
    const most = allOrNothing || dryRun ? MAX_TOGETHER : MAX_ENTITIES;
    if (sent.length > most)
      throw invalid(`a call may contain at most ${most} entities, not ${sent.length}`, {
        field: 'entities',
        maximum: most,
      });
    const writes = await manyInTurns(sent, MANY, (one) => attempt(one, author));
    if (dryRun) return this.#told(await this.#rehearsed(writes));
    return this.#told(
      allOrNothing
        ? await outcomesTogether(writes, (all) => this.#deps.writeAll(all))
        : await this.#outcomes(writes),
    );
  }

  async #told(outcomes: readonly (Written<Ingested> | Rehearsed | Error | null)[]): Promise<BulkIngest> {
    const counts = { CREATED: 0, UPDATED: 0, UNCHANGED: 0 };
    const changes: (IngestChange | null)[] = [];
    const errors: BulkIngestError[] = [];
    const results = await manyInTurns(outcomes, MANY, (outcome): WrittenEntity | null => {
      if (outcome === null) {
        // another entry was refused
        changes.push(null);
        return null;
      }
      if (outcome instanceof Error) {
        const { code, status, message, details } = masked(outcome);
        if (code === 'internal_error') this.#deps.onFault(outcome);
        errors.push({ index: changes.length, code: status, message, ruleId: ruleOf(outcome), details });
        changes.push(null);
        return null;
      }
      counts[outcome.result.change]++;
      changes.push(outcome.result.change);
      if (!('times' in outcome)) return null; // nothing was written
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
    return inPlace(attempts, await this.#deps.writeAll(attempts.filter(isWrite)));
  }

  async #rehearsed(attempts: readonly (Write<Ingested> | Error)[]): Promise<readonly (Rehearsed | Error)[]> {
    const outcomes = await this.#deps.rehearseAll(attempts.filter(isWrite));
    return inPlace(
      attempts,
      outcomes.map((result) => (result instanceof Error ? result : { result })),
    );
  }
}

/** The slice of the resolvers' context. */
export interface BulkIngestSlice {
  readonly bulkIngest: BulkIngestService;
}
