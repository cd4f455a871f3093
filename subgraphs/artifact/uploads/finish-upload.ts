// Brings a complete upload to its end: its hash is compared, it goes into the store, its actor may use it from
// then on, and it is attached where that was asked for (docs/reference/artifact.md#uploads).
import { DomainError, invalid } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Kept } from '../storage/object-store.ts';
import type { RunningHash } from './running-hashes.ts';
import type { UploadedContent } from '../storage/uploaded-content.ts';
import { claimLost, whileTouching } from './upload-claim.ts';
import type { UploadFiles } from './upload-files.ts';
import { type Claim, endUpload, listParts, type Part, recordHash } from './upload-parts.store.ts';
import { type Upload, uploadsOf } from './uploads.store.ts';

export interface FinishDeps {
  readonly db: Queryable;
  readonly content: UploadedContent;
  readonly files: UploadFiles;
  /** Attaches the file in the caller's name. @throws DomainError as metadata refuses */
  readonly attach: (upload: Upload, hash: string, caller: Caller) => Promise<void>;
  /** Seconds for which a file stays without an entity. */
  readonly unattachedSeconds: number;
}

/**
 * @param running the hash of the whole, if it was computed while it came
 * @returns the hash @throws DomainError `validation_failed` if it is not the expected one; then the upload is
 * over
 */
export async function finishUpload(
  deps: FinishDeps,
  claim: Claim,
  upload: Upload,
  running: RunningHash | null,
  caller: Caller,
): Promise<string> {
  const { db, files } = deps;
  const parts = await listParts(db, upload.id);
  const hash = await whileTouching(db, claim, async () => {
    const isDone = upload.hash !== null && (await isStored(deps, upload.hash));
    return isDone && upload.hash !== null ? upload.hash : await store(deps, claim, upload, parts, running);
  });
  // before the upload is over: whoever is killed in between is followed by another who attaches it
  const refusal =
    upload.entityId === null
      ? null
      : await whileTouching(db, claim, () => attached(deps, upload, hash, caller));
  if (!(await endUpload(db, claim, null))) throw claimLost();
  await files.remove(parts.map(({ file }) => file));
  if (refusal !== null) throw refusal;
  return hash;
}

/** Why it cannot be attached, now or later; null where it was. @throws where that cannot be said now */
async function attached(
  { attach }: FinishDeps,
  upload: Upload,
  hash: string,
  caller: Caller,
): Promise<DomainError | null> {
  try {
    await attach(upload, hash, caller);
    return null;
  } catch (fault) {
    if (fault instanceof DomainError && fault.status < 500) return fault;
    throw fault;
  }
}

/** A process was killed between storing it and saying so. */
const isStored = async ({ content }: FinishDeps, hash: string): Promise<boolean> =>
  (await (await content.objects()).check(hash)) === 'sound';

/** Null where it has to be computed from the files. */
async function known(running: RunningHash | null): Promise<Kept | null> {
  const hex = (await running?.digest()) ?? null;
  return running === null || hex === null ? null : { hash: `sha256:${hex}`, size: running.bytes };
}

async function store(
  deps: FinishDeps,
  claim: Claim,
  upload: Upload,
  parts: readonly Part[],
  running: RunningHash | null,
): Promise<string> {
  const { db, files, content } = deps;
  const [only] = parts;
  const whole = parts.length === 1 && only !== undefined ? only.file : `${upload.id}.${claim.holder}.whole`;
  const isJoined = parts.length !== 1;
  const kept = isJoined
    ? await files.join(parts, whole)
    : ((await known(running)) ?? (await files.hash(parts)));
  if (upload.expectedHash !== null && upload.expectedHash !== kept.hash)
    throw await refused(deps, claim, upload, parts, { ...kept, whole: isJoined ? [whole] : [] });
  if (!(await recordHash(db, claim, kept.hash))) throw claimLost();
  await content.adopt(files.place(whole), kept, {
    actor: upload.actor,
    uploads: uploadsOf(upload.projects),
    name: upload.name,
    mediaType: upload.mediaType,
    seconds: deps.unattachedSeconds,
  });
  return kept.hash;
}

async function refused(
  { db, files }: FinishDeps,
  claim: Claim,
  { expectedHash }: Upload,
  parts: readonly Part[],
  { hash, size, whole }: Kept & { readonly whole: readonly string[] },
): Promise<Error> {
  const message = `the content has the hash ${hash}, not ${expectedHash}: it was not stored`;
  if (!(await endUpload(db, claim, message))) throw claimLost();
  await files.remove([...parts.map(({ file }) => file), ...whole]);
  return invalid(message, { expected: expectedHash, found: hash, size });
}
