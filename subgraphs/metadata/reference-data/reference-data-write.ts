// A set of reference data as one write: its entities and the event that counts them succeed or fail together.
import { DomainError } from '../../../platform/errors.ts';
import { ingest } from '../entities/entity-writes.ts';
import type { Author, EntityState, Needs, Write, WriteView } from '../log/write.ts';
import type { EntityData } from '../schema-model/entity-type.ts';

export interface ReferenceEntity {
  readonly id: string;
  readonly entityType: string;
  readonly data: EntityData;
}

export interface InstallRequest {
  readonly loader: string;
  readonly version: string;
  readonly entities: readonly ReferenceEntity[];
  readonly author: Author;
}

export interface Installation {
  readonly created: number;
  readonly updated: number;
}

/**
 * @throws (as its outcome) DomainError: that of the first faulty entity, with its index in `details.index`
 */
export function installReferenceData({
  loader,
  version,
  entities,
  author,
}: InstallRequest): Write<Installation> {
  const ingests = entities.map((entity) => ingest({ ...entity, mayExist: true, author }));
  return {
    author,
    size: ingests.reduce((sum, { size = 0 }) => sum + size, 0),
    needs(catalogue): Needs {
      const needs = ingests.map((one, i) => located(i, () => one.needs(catalogue)));
      return {
        entities: needs.flatMap((n) => n.entities ?? []),
        uniques: needs.flatMap((n) => n.uniques ?? []),
      };
    },
    decide(view) {
      let [created, updated] = [0, 0];
      for (const [i, { id }] of entities.entries()) {
        const before = view.entity(id);
        const after = located(i, () => decideOne(ingests[i], view));
        if (before === undefined) created++;
        else if (after !== before) updated++;
      }
      view.recordInstance('ReferenceDataInstalled', {
        loader,
        version,
        entities_created: created,
        entities_updated: updated,
      });
      return { created, updated };
    },
  };
}

function decideOne(write: Write<EntityState> | undefined, view: WriteView): EntityState {
  if (!write) throw new Error('an entity without its write');
  return write.decide(view);
}

function located<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(
      error.code,
      `entities[${index}]: ${error.message}`,
      { ...error.details, index },
      { cause: error },
    );
  }
}
