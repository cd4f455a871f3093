// Stored files as bytes (docs/reference/api-conventions.md#files): by their hash, and by the entity and field that
// hold them.
import { DomainError } from '../../platform/errors.ts';
import { AS_OF } from '../parameters.ts';
import { contextOf, optionalField, requiredField, versionsOf } from './metadata-request.ts';
import { route, type RestRoute } from '../route.ts';
import type { SentFile } from '../send-file.ts';

interface Found {
  readonly hash: string;
  readonly size: number;
  readonly name: string | null;
  readonly media_type: string | null;
  readonly evicted_at: string | null;
  readonly link: string | null;
}

const FOUND = 'hash size name media_type: mediaType evicted_at: evictedAt link: downloadUrl';

/** @throws DomainError `not_found` for one that was evicted */
function sent({ hash, size, name, media_type: mediaType, evicted_at: evictedAt, link }: Found): SentFile {
  if (evictedAt !== null)
    throw new DomainError('not_found', `${hash} was evicted from the artifact store at ${evictedAt}`);
  return { hash, size, name, mediaType, link };
}

/** Below the artifact component. */
export const fileRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/files/{sha256}',
    summary:
      'Returns the content of a stored file, or a part of it (`Range`), to callers that may see an entity that holds it.',
    operation: `query StoredFileContent($hash: ID!) { storedFile(hash: $hash) { ${FOUND} } }`,
    pick: 'storedFile',
    absent: ({ sha256 }) => `stored file not found: ${sha256}`,
    variables: ({ params }) => ({ hash: params.sha256 }),
    file: sent,
  }),
];

/** Below the metadata component, answered by the artifact component. */
export const entityFileRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/entities/{entity_id}/files/{field}',
    summary:
      'Returns the content of the stored file that a field of an entity holds, or a part of it (`Range`).',
    of: 'artifact',
    operation: `query EntityFileContent($entityId: ID!, $field: String!, $asOf: DateTime) { entityFile(entityId: $entityId, field: $field, asOf: $asOf) { ${FOUND} } }`,
    pick: 'entityFile',
    absent: ({ entity_id: id }) => `entity not found: ${id}`,
    query: AS_OF,
    variables: ({ params, query }) => ({
      entityId: params.entity_id,
      field: params.field,
      asOf: query.as_of,
    }),
    file: sent,
  }),
  route({
    method: 'PUT',
    path: '/entities/{entity_id}/files/{field}',
    summary:
      'Attaches a file to a field of an entity: one that the caller has uploaded, or may read. The field, and fields that describe the file, are written like by an update (`If-Match`, `X-Metadata-Context`).',
    of: 'artifact',
    operation: `mutation AttachFile($entityId: ID!, $field: String!, $hash: ID!, $name: String, $versions: [Int!], $context: JSON) {
      attachFile(entityId: $entityId, field: $field, hash: $hash, name: $name, ifVersionIn: $versions, context: $context) {
        entity_id: entityId field version changed file { hash size name media_type: mediaType url } } }`,
    pick: 'attachFile',
    heeds: ['if-match'],
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [
        {
          hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
          name: 'HG00096.vcf.gz',
        },
      ],
      required: ['hash'],
      properties: {
        hash: { type: 'string', description: 'The SHA-256 of the file.' },
        name: { type: ['string', 'null'], description: 'The name of the file in this entity.' },
      },
    },
    variables: (input) => ({
      entityId: input.params.entity_id,
      field: input.params.field,
      hash: requiredField(input.body, 'hash'),
      name: optionalField(input.body, 'name'),
      versions: versionsOf(input),
      context: contextOf(input),
    }),
  }),
];
