// References that lead nowhere, or to an entity of another type: they may point ahead, so somebody may want
// to know which have not arrived (decision 8).
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

/** A reference field of one type, and the types that it may lead to. */
export interface ReferenceField {
  readonly entity_type: string;
  readonly field: string;
  readonly targets: readonly string[];
}

export interface FaultRow {
  readonly entityId: string;
  readonly entityType: string;
  /** The entity's place in the order of creation. */
  readonly created: string;
  readonly field: string;
  /** Its place in a list, from 1; 0 of a single value. */
  readonly place: number;
  readonly targetId: string;
  /** Null where there is none that may be seen. */
  readonly actualEntityType: string | null;
}

export interface ReferenceFault extends FaultRow {
  readonly targetEntityType: string;
  readonly reason: 'MISSING' | 'OTHER_TYPE';
}

export type FaultPosition = readonly [created: string, field: string, place: number];

export interface ReferenceDeps {
  readonly catalogue: () => SchemaCatalogue;
  /** In order of creation, field and place, after a position. */
  faults(
    fields: readonly ReferenceField[],
    after: FaultPosition | null,
    limit: number,
    identity: Identity,
  ): Promise<readonly FaultRow[]>;
}

const POSITION: CursorPart = (value) => typeof value === 'string' && /^\d{1,18}$/.test(value);

/** The reference fields of types that are asked about. */
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
   * @throws DomainError `validation_failed` for bounds out of range, and for a cursor that is none of this
   * list
   */
  async faults(
    entityType: string,
    { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
    identity: Identity,
  ): Promise<Page<ReferenceFault> | null> {
    checkPage({ limit, offset: 0 }, invalid);
    // its parts have been checked to be these
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
