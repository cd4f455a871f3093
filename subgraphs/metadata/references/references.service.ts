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
import type { FieldDefinition } from '../schemas/field.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';

/** A reference field of one type, and the types of its targets. */
export interface ReferenceField {
  readonly entity_type: string;
  readonly field: string;
  readonly targets: readonly string[];
}

export interface FaultRow {
  readonly entityId: string;
  readonly entityType: string;
  /** The entity's position in the order of creation. */
  readonly created: string;
  readonly field: string;
  /** The index in a list, from 1; 0 for a single value. */
  readonly place: number;
  readonly targetId: string;
  /** Null if there is none that is visible. */
  readonly actualEntityType: string | null;
}

export interface ReferenceFault extends FaultRow {
  readonly targetEntityType: string;
  readonly reason: 'MISSING' | 'OTHER_TYPE';
}

export type FaultPosition = readonly [created: string, field: string, place: number];

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

/** The reference fields of the requested types. */
export function referenceFields(
  catalogue: SchemaCatalogue,
  types: readonly string[],
  isAsked: (field: FieldDefinition, type: string) => boolean = () => true,
): ReferenceField[] {
  return types.flatMap((name) =>
    [...(catalogue.get(name)?.fields.values() ?? [])].flatMap((field) =>
      field.references === null || field.name === 'id' || !isAsked(field, name)
        ? []
        : [
            {
              entity_type: name,
              field: field.name,
              targets: catalogue.get(field.references)?.selfAndSubtypes ?? [field.references],
            },
          ],
    ),
  );
}

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
