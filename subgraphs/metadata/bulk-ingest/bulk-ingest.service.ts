// Ingesting many entities in one call: few transactions, an outcome for each entity.
import { invalid, masked } from '../../../platform/errors.ts';
import { type WrittenEntity, whole } from '../entities/entities.service.ts';
import { ingest, type IngestRequest } from '../entities/entity-writes.ts';
import { readIngest } from '../entities/ingest-request.ts';
import type { Author, EntityState, Write, Written } from '../provenance/write.ts';

/** Most entities of one call: they are answered together. */
export const MAX_ENTITIES = 5000;

export interface BulkIngestPorts {
  /** Outcomes by position. */
  writeAll<Result>(writes: readonly Write<Result>[]): Promise<readonly (Written<Result> | Error)[]>;
  /** Gets what went wrong with one entity of many and is nobody's to know. */
  onFault(fault: unknown): void;
}

export interface SentEntity { readonly entityType: string; readonly id?: string | null; readonly data: unknown }
export interface BulkIngestError { readonly index: number; readonly code: number; readonly message: string }

export interface BulkIngest {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly results: readonly (WrittenEntity | null)[];
  readonly errors: readonly BulkIngestError[];
}

interface Ingested { readonly state: EntityState; readonly change: 'created' | 'updated' | 'unchanged' }

/** An ingest that also says what it did. */
function telling(request: IngestRequest): Write<Ingested> {
  const write = ingest(request);
  return {
    author: write.author,
    needs: (catalogue) => write.needs(catalogue),
    decide(view) {
      const before = view.entity(request.id);
      const state = write.decide(view);
      return { state, change: before === undefined ? 'created' : state === before ? 'unchanged' : 'updated' };
    },
  };
}

function attempt(sent: SentEntity, author: Author): Write<Ingested> | Error {
  try {
    return telling(readIngest(sent.entityType, sent.data, sent.id ?? null, author));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export class BulkIngestService {
  readonly #ports: BulkIngestPorts;
  constructor(ports: BulkIngestPorts) {
    this.#ports = ports;
  }

  /** In the order of the list, so that of two with one id the second merges into the first. @throws DomainError `validation_failed` for too many */
  async ingest(sent: readonly SentEntity[], author: Author): Promise<BulkIngest> {
    if (sent.length > MAX_ENTITIES) throw invalid(`a call has at most ${MAX_ENTITIES} entities, not ${sent.length}`, { field: 'entities', maximum: MAX_ENTITIES });
    const writes = sent.map((one) => attempt(one, author));
    const outcomes = (await this.#ports.writeAll(writes.filter((w): w is Write<Ingested> => !(w instanceof Error))))[Symbol.iterator]();
    const counts = { created: 0, updated: 0, unchanged: 0 };
    const errors: BulkIngestError[] = [];
    const results = writes.map((write, index): WrittenEntity | null => {
      const outcome = write instanceof Error ? write : outcomes.next().value ?? new Error('a write without an outcome');
      if (outcome instanceof Error) {
        const { code, status, message } = masked(outcome);
        if (code === 'internal_error') this.#ports.onFault(outcome);
        errors.push({ index, code: status, message });
        return null;
      }
      counts[outcome.result.change]++;
      return whole({ result: outcome.result.state, times: outcome.times });
    });
    return { ...counts, results, errors };
  }
}
