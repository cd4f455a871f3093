// Uploads of files: the tus protocol, and a whole file in one request (docs/reference/artifact.md#uploads).
import { badRequest } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { PAGE, text } from '../parameters.ts';
import { route, type RestRoute, type RestRouteInput } from '../route.ts';
import {
  assertPart,
  beginTus,
  bytesIn,
  checksumOf,
  lengthOf,
  metadataOf,
  metadataText,
  PART_TYPE,
  serverHeaders,
  stateHeaders,
  type UploadMetadata,
  type UploadState,
} from '../tus.ts';
import { contextOf } from './metadata-request.ts';

const FILE = 'hash size name media_type: mediaType url created_at: createdAt';
const UPLOAD = `id length offset name media_type: mediaType expected_hash: expectedHash entity_id: entityId field metadata
  created_at: createdAt expires_at: expiresAt finished_at: finishedAt fault file { ${FILE} }`;
const CREATE = `mutation CreateUpload($length: Float, $hash: ID, $name: String, $mediaType: String, $entityId: ID, $field: String, $context: JSON, $metadata: String) {
  createUpload(length: $length, hash: $hash, name: $name, mediaType: $mediaType, entityId: $entityId, field: $field, context: $context, metadata: $metadata) { ${UPLOAD} }
}`;

const PAGE_BY_CURSOR = { limit: PAGE.limit, cursor: PAGE.cursor };

type Header = RestRouteInput<string, Record<never, never>>['header'];

/** The first key that there is: clients spell some in two ways. */
const oneOf = (metadata: UploadMetadata, ...keys: readonly string[]): string | null =>
  keys.map((key) => metadataText(metadata, key)).find((text) => text !== '') ?? null;

function created(header: Header): Record<string, unknown> {
  const metadata = metadataOf(header);
  return {
    length: lengthOf(header),
    hash: oneOf(metadata, 'sha256', 'hash'),
    name: oneOf(metadata, 'filename', 'name'),
    mediaType: oneOf(metadata, 'filetype', 'type'),
    entityId: oneOf(metadata, 'entity_id'),
    field: oneOf(metadata, 'field'),
    context: contextOf({ header }),
    metadata: header('upload-metadata') ?? null,
  };
}

const absent = ({ upload_id: id }: Readonly<Record<string, string>>): string => `upload not found: ${id}`;
const hasContent = (header: Header): boolean =>
  header('transfer-encoding') !== undefined || (header('content-length') ?? '0') !== '0';

/** @throws DomainError for a part of a file, which may not be taken for all of it (RFC 9110, 14.5) */
function assertWhole({ req }: RequestContext): void {
  if (req.headers['content-range'] !== undefined)
    throw badRequest(
      'Content-Range is not taken: send the whole file, or its parts to /api/v1/artifact/uploads (tus)',
    );
}

export const uploadRows: readonly RestRoute[] = [
  route({
    method: 'OPTIONS',
    path: '/uploads',
    summary: 'Returns the limits and extensions of uploads by the tus protocol, in headers.',
    access: 'public',
    operation: 'query UploadLimits { uploadLimits { max_bytes: maxBytes } }',
    pick: 'uploadLimits',
    begin: beginTus,
    variables: () => ({}),
    headers: ({ max_bytes: maxBytes }: { max_bytes: number }) => serverHeaders(maxBytes),
    successStatus: 204,
  }),
  route({
    method: 'POST',
    path: '/uploads',
    summary:
      'Begins an upload by the tus protocol: `Upload-Length` or `Upload-Defer-Length: 1`; `Upload-Metadata` may have `filename`, `filetype`, `sha256` (other content is refused), `entity_id` and `field` (where it is attached). The answer has its address in `Location`.',
    operation: CREATE,
    pick: 'createUpload',
    begin: beginTus,
    variables: ({ header }) => {
      if (hasContent(header)) assertPart(header);
      return created(header);
    },
    headers: (upload: UploadState) => ({
      ...stateHeaders(upload),
      location: `/api/v1/artifact/uploads/${upload.id}`,
    }),
    upload: {
      mediaTypes: [PART_TYPE],
      part: ({ id, length }: UploadState, { header }) =>
        hasContent(header) || length === 0
          ? { uploadId: id, offset: 0, length: null, checksum: checksumOf(header) }
          : null,
    },
    successStatus: 201,
  }),
  route({
    method: 'GET',
    path: '/uploads',
    summary: "Returns the caller's uploads, newest first.",
    operation: `query Uploads($limit: Int!, $cursor: String) { uploads(limit: $limit, cursor: $cursor) { items { ${UPLOAD} } next_cursor: nextCursor } }`,
    pick: 'uploads',
    query: PAGE_BY_CURSOR,
    variables: ({ query }) => ({ ...query }),
  }),
  route({
    method: 'GET',
    path: '/uploads/{upload_id}',
    summary:
      'Returns an upload of the caller; HEAD returns `Upload-Offset` and `Upload-Length`, as the tus protocol requires.',
    operation: `query Upload($id: ID!) { upload(id: $id) { ${UPLOAD} } }`,
    pick: 'upload',
    absent,
    begin: beginTus,
    variables: ({ params }) => ({ id: params.upload_id }),
    headers: stateHeaders,
  }),
  route({
    method: 'PATCH',
    path: '/uploads/{upload_id}',
    summary:
      'Sends the next bytes of an upload, from `Upload-Offset` on. With `Upload-Checksum` (sha1, sha256, md5) they are stored completely or not at all. The last request is answered when the file is in the store.',
    operation: 'query UploadToContinue($id: ID!) { upload(id: $id) { id } }',
    pick: 'upload',
    absent,
    begin: beginTus,
    variables: ({ params, header }) => {
      assertPart(header);
      checksumOf(header);
      if (bytesIn(header, 'upload-offset') === null)
        throw badRequest('Upload-Offset must say where the bytes belong');
      bytesIn(header, 'upload-length');
      return { id: params.upload_id };
    },
    upload: {
      mediaTypes: [PART_TYPE],
      part: ({ id }: UploadState, { header }) => ({
        uploadId: id,
        offset: bytesIn(header, 'upload-offset') ?? 0,
        length: bytesIn(header, 'upload-length'),
        checksum: checksumOf(header),
      }),
    },
    successStatus: 204,
  }),
  route({
    method: 'DELETE',
    path: '/uploads/{upload_id}',
    summary: 'Ends an upload and removes what has been received.',
    operation: 'mutation CancelUpload($id: ID!) { cancelUpload(id: $id) { id } }',
    pick: 'cancelUpload',
    absent,
    begin: beginTus,
    variables: ({ params }) => ({ id: params.upload_id }),
    successStatus: 204,
  }),
  route({
    method: 'PUT',
    begin: assertWhole,
    path: '/files/{sha256}',
    summary:
      'Uploads a file in one request, under the SHA-256 that it must have; with `entity_id` and `field` it is attached there.',
    operation: CREATE,
    pick: 'createUpload',
    query: {
      name: text("The file's name."),
      entity_id: text('The entity that the file is attached to.'),
      field: text('The field of the entity, of type `uri`.'),
    },
    variables: ({ params, query, header }) => {
      const type = header('content-type');
      return {
        length: bytesIn(header, 'content-length') ?? (hasContent(header) ? null : 0),
        hash: params.sha256,
        name: query.name,
        // what curl sends for any file
        mediaType: type === undefined || type.startsWith('application/x-www-form-urlencoded') ? null : type,
        entityId: query.entity_id,
        field: query.field,
        context: contextOf({ header }),
        metadata: null,
      };
    },
    upload: {
      mediaTypes: ['application/octet-stream'],
      part: ({ id, length }: UploadState) => ({ uploadId: id, offset: 0, length, checksum: null }),
      isWhole: true,
    },
    responseSchema: {
      type: 'object',
      required: ['hash', 'size', 'url', 'created_at'],
      properties: {
        hash: { type: 'string' },
        size: { type: 'number' },
        name: { type: ['string', 'null'] },
        media_type: { type: ['string', 'null'] },
        url: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
      },
    },
    successStatus: 201,
  }),
  route({
    method: 'GET',
    path: '/files',
    summary: 'Returns the files that the caller has uploaded and that have not expired, newest first.',
    operation: `query UploadedFiles($limit: Int!, $cursor: String) { uploadedFiles(limit: $limit, cursor: $cursor) {
      items { file { ${FILE} } uploaded_at: uploadedAt expires_at: expiresAt is_attached: isAttached } next_cursor: nextCursor } }`,
    pick: 'uploadedFiles',
    query: PAGE_BY_CURSOR,
    variables: ({ query }) => ({ ...query }),
  }),
];
