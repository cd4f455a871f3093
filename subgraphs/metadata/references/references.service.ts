// Reports references to missing entities or to another type: references may point ahead, so callers want to
// find missing targets (decision 8).
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import {
  checkPage,
  type CursorPart,
  decodeCursor,
  integerPart,
  type Page,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import {
  type FaultPosition,
  type FaultRow,
  type ReferenceField,
  referenceFields,
} from '../reference-checks/reference-fault.ts';

export interface ReferenceFault extends FaultRow {
  readonly targetEntityType: string;
  readonly reason: 'MISSING' | 'OTHER_TYPE';
}

export interface ReferenceDeps {
  readonly catalogue: () => SchemaCatalogue;
  /** Ordered by creation, field and index, after a position. */
  faults(
    fields: readonly ReferenceField[],
    after: FaultPosition | null,
    limit: number,
    identity: Identity,
  ): Promise<readonly FaultRow[]>;
}

const POSITION: CursorPart = (value) => typeof value === 'string' && /^\d{1,18}$/.test(value);

export class ReferenceService {
  readonly #deps: ReferenceDeps;
  constructor(deps: ReferenceDeps) {
    this.#deps = deps;
  }

  /**
   * Null for an unknown type.
   * @throws DomainError `validation_failed` for bounds out of range, and for a cursor of another list
   */
  async faults(
    entityType: string,
    { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
    identity: Identity,
  ): Promise<Page<ReferenceFault> | null> {
    checkPage({ limit, offset: 0 }, invalid);
    // The parts were validated.
    const position = decodeCursor(cursor, [POSITION, textPart, integerPart], invalid) as FaultPosition | null;
    const catalogue = this.#deps.catalogue();
    const type = catalogue.get(entityType);
    if (!type) return null;
    const fields = referenceFields(catalogue, type.selfAndSubtypes);
    const rows = fields.length === 0 ? [] : await this.#deps.faults(fields, position, limit + 1, identity);
    const page = pageOf(rows, limit, ({ created, field, place }) => [created, field, place]);
    return {
      ...page,
      items: page.items.map((row) => ({
        ...row,
        targetEntityType: catalogue.get(row.entityType)?.fields.get(row.field)?.references ?? '',
        reason: row.actualEntityType === null ? 'MISSING' : 'OTHER_TYPE',
      })),
    };
  }
}

/** The slice of the resolvers' context. */
export interface ReferenceSlice {
  readonly references: ReferenceService;
}
