// Uploads as one operation's caller sees them: their own (docs/reference/artifact.md#uploads).
import { randomBytes } from 'node:crypto';
import type { Transact } from '../../../platform/database/transaction.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import {
  checkPage,
  decodeCursor,
  instantPart,
  type Page,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import { parseJson } from '../../../platform/json.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import { checkName } from '../attachments/attachments.service.ts';
import { readHash } from '../storage/object-store.ts';
import { listUploaded, type UploadedRow } from '../storage/uploaded-files.store.ts';
import type { UploadFiles } from './upload-files.ts';
import { deleteUpload } from './upload-parts.store.ts';
import type { UploadReceiver } from './upload-receiver.ts';
import { assertFileSize, assertOneMore, type UploadQuota } from './upload-quota.ts';
import { findUpload, insertUpload, listUploads, type Upload } from './uploads.store.ts';

export interface UploadSettings extends UploadQuota {
  readonly expirySeconds: number;
  readonly unattachedSeconds: number;
}

export interface UploadDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly settings: UploadSettings;
  readonly receiver: UploadReceiver;
  readonly files: UploadFiles;
}

export interface UploadRequest {
  readonly length: number | null;
  readonly hash: string | null;
  readonly name: string | null;
  readonly mediaType: string | null;
  readonly entityId: string | null;
  readonly field: string | null;
  /** JSON, or its text. */
  readonly context: unknown;
  readonly metadata: string | null;
}

const MAX_METADATA = 8192;
const MAX_MEDIA_TYPE = 200;
const ORDER = [instantPart, textPart];

export class UploadService {
  readonly #deps: UploadDeps;
  readonly #caller: Caller;
  readonly #checkPlace: (entityId: string, field: string) => Promise<void>;

  /** @param checkPlace throws where a file cannot be attached */
  constructor(
    deps: UploadDeps,
    caller: Caller,
    checkPlace: (entityId: string, field: string) => Promise<void>,
  ) {
    this.#deps = deps;
    this.#caller = caller;
    this.#checkPlace = checkPlace;
  }

  get limits(): { readonly maxBytes: number } {
    return { maxBytes: this.#deps.settings.fileBytes };
  }

  /**
   * @throws DomainError `payload_too_large`, `conflict` for a quota, `validation_failed`, and as the place of
   * an attachment is refused
   */
  async create(request: UploadRequest): Promise<Upload> {
    const { transact, settings } = this.#deps;
    const { actor, projects } = this.#caller;
    const { entityId, field } = request;
    const id = randomBytes(16).toString('hex');
    const upload = { ...checked(request, settings.fileBytes), id, actor, projects };
    if (entityId !== null && field !== null) await this.#checkPlace(entityId, field);
    else if (entityId !== null || field !== null)
      throw invalid('to attach the file, name both the entity (entity_id) and its field (field)', {
        field: entityId === null ? 'entity_id' : 'field',
      });
    return transact(async (held) => {
      await assertOneMore(held, actor, upload.length ?? 0, settings);
      return insertUpload(held, upload, settings.expirySeconds);
    });
  }

  /**
   * One of the caller's; null for an unknown one. One that is complete is in the store when it is answered.
   * @throws DomainError `locked` if that takes longer
   */
  async get(id: string): Promise<Upload | null> {
    const upload = await this.#find(id);
    if (
      upload === null ||
      upload.length !== upload.offset ||
      upload.finishedAt !== null ||
      upload.fault !== null
    )
      return upload;
    await this.#deps.receiver.settle(upload, this.#caller);
    return this.#find(id);
  }

  /** @throws DomainError `invalid_request` for invalid bounds or cursor */
  async page(limit: number, cursor: string | null): Promise<Page<Upload>> {
    checkPage({ limit, offset: 0 });
    const after = decodeCursor(cursor, ORDER);
    const rows = await listUploads(
      this.#deps.db,
      this.#caller,
      after && { at: String(after[0]), id: String(after[1]) },
      limit + 1,
    );
    return pageOf(rows, limit, ({ createdAt, id }) => [createdAt, id]);
  }

  /** @throws DomainError `invalid_request` for invalid bounds or cursor */
  async files(limit: number, cursor: string | null): Promise<Page<UploadedRow>> {
    checkPage({ limit, offset: 0 });
    const after = decodeCursor(cursor, ORDER);
    const rows = await listUploaded(
      this.#deps.db,
      this.#caller,
      after && { at: String(after[0]), hash: String(after[1]) },
      limit + 1,
    );
    return pageOf(rows, limit, ({ uploadedAt, hash }) => [uploadedAt, hash]);
  }

  /** Removes what has been received; null for an unknown one. */
  async cancel(id: string): Promise<Upload | null> {
    const upload = await this.#find(id);
    if (upload === null) return null;
    const parts = await deleteUpload(this.#deps.db, id);
    this.#deps.receiver.end(id);
    await this.#deps.files.remove(parts);
    return upload;
  }

  #find(id: string): Promise<Upload | null> {
    return hasNoNul(id) ? findUpload(this.#deps.db, id, this.#caller) : Promise.resolve(null);
  }
}

type Checked = Pick<
  Upload,
  'length' | 'expectedHash' | 'name' | 'mediaType' | 'entityId' | 'field' | 'context' | 'metadata'
>;

/** @throws DomainError `validation_failed`, `payload_too_large` */
function checked(
  { length, hash, name, mediaType, entityId, field, context, metadata }: UploadRequest,
  fileBytes: number,
): Checked {
  if (length !== null && (!Number.isSafeInteger(length) || length < 0))
    throw invalid('length must be a number of bytes', { field: 'length' });
  if (length !== null) assertFileSize(length, { fileBytes });
  const expectedHash = hash === null ? null : readHash(hash.toLowerCase());
  if (hash !== null && expectedHash === null)
    throw invalid('hash must be a SHA-256: 64 hexadecimal digits, with or without sha256: before them', {
      field: 'hash',
    });
  if (name !== null) checkName(name);
  if (mediaType !== null && !/^[\x21-\x7e][\x20-\x7e]*$/.test(mediaType.slice(0, MAX_MEDIA_TYPE + 1)))
    throw invalid('the media type is not valid', { field: 'media_type' });
  if ((metadata ?? '').length > MAX_METADATA)
    throw invalid(`Upload-Metadata has at most ${MAX_METADATA} characters`, { field: 'metadata' });
  if (typeof context === 'string') parseJson(context, 'context'); // told now, not when all of the file has come
  const text = context === null || typeof context === 'string' ? context : JSON.stringify(context);
  return { length, expectedHash, name, mediaType, entityId, field, context: text, metadata };
}

/** The slice of the resolvers' context. */
export interface UploadSlice {
  readonly uploads: UploadService;
}
