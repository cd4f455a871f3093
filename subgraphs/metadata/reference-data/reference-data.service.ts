// Installs reference data: validates the request and writes it (docs/reference/metadata.md#reference-data).
import { invalid } from '../../../platform/errors.ts';
import type { Author, Write, Written } from '../log/write.ts';
import { AN_ID, isEntityId } from '../schema-model/value.ts';
import { installReferenceData, type ReferenceEntity } from './reference-data-write.ts';

export interface Installed {
  readonly loader: string;
  readonly version: string;
  readonly entitiesCreated: number;
  readonly entitiesUpdated: number;
}
export interface SentReferenceEntity {
  readonly id: string;
  readonly entityType: string;
  readonly data: unknown;
}

/** Maximum entities of one installation: it holds the log's lock while it is written. */
const MAX_ENTITIES = 20_000;

const named = (name: string, value: string): string => {
  if (value.trim() === '' || value.length > 200)
    throw invalid(`${name} must be 1 to 200 characters`, { field: name });
  return value;
};

function read({ id, entityType, data }: SentReferenceEntity, index: number): ReferenceEntity {
  if (!isEntityId(id)) throw invalid(`entities[${index}]: id must be ${AN_ID}`, { index, field: 'id' });
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw invalid(`entities[${index}]: data must be an object`, { index, field: 'data' });
  const { id: inner, ...rest } = data as Record<string, unknown>; // The line above ensures a JSON object.
  if (inner !== undefined && inner !== null && inner !== id)
    throw invalid(`entities[${index}]: data.id and id differ`, { index, field: 'id' });
  return { id, entityType, data: rest };
}

export class ReferenceDataService {
  readonly #write: <Result>(write: Write<Result>) => Promise<Written<Result>>;
  constructor(write: <Result>(write: Write<Result>) => Promise<Written<Result>>) {
    this.#write = write;
  }

  /**
   * All or nothing.
   * @throws DomainError `validation_failed` and others, with `details.index` for those of one entity
   */
  async install(
    loader: string,
    version: string,
    sent: readonly SentReferenceEntity[],
    author: Author,
  ): Promise<Installed> {
    if (sent.length > MAX_ENTITIES)
      throw invalid(`an installation may contain at most ${MAX_ENTITIES} entities, not ${sent.length}`, {
        field: 'entities',
      });
    const request = {
      loader: named('loader', loader),
      version: named('version', version),
      entities: sent.map(read),
      author,
    };
    const { result } = await this.#write(installReferenceData(request));
    return { loader, version, entitiesCreated: result.created, entitiesUpdated: result.updated };
  }
}

/** The slice of the resolvers' context. */
export interface ReferenceDataSlice {
  readonly referenceData: ReferenceDataService;
}
