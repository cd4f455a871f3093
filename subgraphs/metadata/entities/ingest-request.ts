// Parses an ingest: the entity it names, and its data (docs/reference/metadata.md#ingest).
import { invalid } from '../../../platform/errors.ts';
import type { Author } from '../log/write.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import { AN_ID, isEntityId } from '../schema-model/value.ts';
import type { IngestRequest } from './entity-writes.ts';
import { v7 as uuid } from './uuid.ts';

/** @throws DomainError `validation_failed` */
function dataObject(data: unknown): EntityData {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw invalid('data must be an object', { field: 'data' });
  return data as EntityData; // The checks above ensure a JSON object.
}

/**
 * The id is `id` or `data.id`, which must agree, and is not stored in data; without one it is generated.
 * @throws DomainError `validation_failed`
 */
export function readIngest(
  entityType: string,
  sent: unknown,
  givenId: string | null,
  author: Author,
): IngestRequest {
  const { id: inner, ...data } = dataObject(sent);
  if (inner !== undefined && inner !== null && givenId !== null && inner !== givenId)
    throw invalid(`data.id and id differ: ${JSON.stringify(inner)}, ${givenId}`, { field: 'id' });
  const id = givenId ?? inner ?? null;
  if (id !== null && !isEntityId(id)) throw invalid(`field id must be ${AN_ID}`, { field: 'id' });
  return { entityType, id: id ?? uuid(), mayExist: id !== null, data, author };
}

/** An update names its entity; `data.id` may only repeat that id. @throws DomainError `validation_failed` */
export function readUpdate(id: string, sent: unknown): EntityData {
  const { id: inner, ...data } = dataObject(sent);
  if (inner !== undefined && inner !== id)
    throw invalid('the id of an entity cannot be changed', { field: 'id' });
  return data;
}
