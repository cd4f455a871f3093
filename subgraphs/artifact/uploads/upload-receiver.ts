// Receives the content of uploads, request by request. Any process may go on with an upload: what it needs is
// in the database and in files; only a hash that is being computed stays in memory, and is computed again
// where it is not (docs/decisions/0088-uploads.md).
import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ChunkChecksum, ReceivedPart, Received } from '../../../platform/component.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import { DomainError, notFound } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { type FinishDeps, finishUpload } from './finish-upload.ts';
import { flow } from './flow.ts';
import { PartSink } from './part-sink.ts';
import type { RunningHash, RunningHashes } from './running-hashes.ts';
import { Progress, claimLost } from './upload-claim.ts';
import {
  type Claim,
  type Claimed,
  claimComplete,
  claimUpload,
  listParts,
  type Part,
  releaseClaim,
} from './upload-parts.store.ts';
import { assertFileSize, assertMoreBytes, excessOf, type UploadQuota } from './upload-quota.ts';
import { findUpload, type Upload } from './uploads.store.ts';

export interface ReceiverDeps extends FinishDeps, UploadQuota {
  readonly transact: Transact;
  readonly hashes: RunningHashes;
  readonly expirySeconds: number;
}

/** Seconds without a sign of life after which somebody else brings a complete upload to its end. */
const IDLE_SECONDS = 15;
/** Milliseconds that an answer waits for somebody else who does so. */
const WAIT_MS = 20_000;
const LOOK_MS = 250;
/** Hashes that are kept in memory between two requests. */
const MAX_HASHES = 1000;

/** A file to write to, and what it holds already. */
interface Opened {
  readonly handle: FileHandle;
  readonly part: Part;
}

export class UploadReceiver {
  readonly #deps: ReceiverDeps;
  readonly #hashes = new LRUCache<string, RunningHash>({
    max: MAX_HASHES,
    dispose: (hash, _uploadId, why) => {
      if (why !== 'delete') hash.end();
    },
  });
  /** Ends what this process receives for an upload. */
  readonly #active = new Map<string, AbortController>();
  /** Bytes by actor that are not recorded before their checksum has been compared. */
  readonly #unrecorded = new Map<string, number>();

  constructor(deps: ReceiverDeps) {
    this.#deps = deps;
  }

  /**
   * Receives a part of an upload. What has come is kept even where the request ends early, unless a checksum
   * of the part was to be compared.
   * @param stop ends receiving; its reason is thrown
   * @throws DomainError `conflict` where the upload goes on at another offset, `checksum_mismatch`,
   * `payload_too_large`, `validation_failed` for a whole that has not the expected hash, and as an attachment
   * is refused
   */
  async receive(part: ReceivedPart, content: Readable, caller: Caller, stop: AbortSignal): Promise<Received> {
    const upload = await this.#found(part.uploadId, caller);
    if (upload.length !== null && upload.offset === upload.length && part.offset === upload.offset)
      return this.settle(upload, caller);
    const claim = this.#claim(upload.id);
    const claimed = await this.#begun(claim, upload, part);
    if (claimed === null) throw await this.#refusal(part, caller);
    this.#active.get(upload.id)?.abort(claimLost()); // the one before, if it was here
    const own = new AbortController();
    this.#active.set(upload.id, own);
    try {
      const length = claimed.length;
      const opened = await this.#open(claim, upload.offset, claimed.before === null);
      const running = await this.#write(
        {
          claim,
          opened,
          part,
          room: (length ?? this.#deps.fileBytes) - upload.offset,
          actor: upload.actor,
          isBounded: length !== null,
          onLost: (reason) => own.abort(reason),
        },
        content,
        AbortSignal.any([stop, own.signal]),
      );
      const { offset } = running;
      if (offset !== length) return { offset, hash: null, expiresAt: this.#expiry() };
      const hash = await finishUpload(this.#deps, claim, { ...upload, length, offset }, running.hash, caller);
      this.#forgetHash(upload.id);
      return { offset, hash, expiresAt: null };
    } finally {
      if (this.#active.get(upload.id) === own) this.#active.delete(upload.id);
      await releaseClaim(this.#deps.db, claim);
    }
  }

  /**
   * Waits until a complete upload is in the store; brings it there if nobody else does.
   * @throws DomainError `validation_failed` if its content was refused, `locked` if that takes longer
   */
  async settle(upload: Upload, caller: Caller): Promise<Received> {
    const { db } = this.#deps;
    for (const began = performance.now(); ;) {
      const now = await this.#found(upload.id, caller);
      if (now.fault !== null) throw new DomainError('validation_failed', now.fault);
      if (now.finishedAt !== null) return { offset: now.offset, hash: now.hash, expiresAt: null };
      const claim = this.#claim(upload.id);
      if (await claimComplete(db, claim, IDLE_SECONDS))
        try {
          const hash = await finishUpload(this.#deps, claim, now, null, caller);
          return { offset: now.offset, hash, expiresAt: null };
        } finally {
          await releaseClaim(db, claim);
        }
      if (performance.now() - began > WAIT_MS)
        throw new DomainError(
          'locked',
          'all of the file has come, and its hash is being computed: ask again',
          {
            offset: now.offset,
          },
        );
      await sleep(LOOK_MS);
    }
  }

  /** Ends what this process receives. */
  end(uploadId: string): void {
    this.#active.get(uploadId)?.abort(claimLost());
    this.#forgetHash(uploadId);
  }

  #forgetHash(uploadId: string): void {
    this.#hashes.get(uploadId)?.end();
    this.#hashes.delete(uploadId);
  }

  /** The hash of what has come before, out of the memory; null where it is to be computed from the files. */
  #takeHash(uploadId: string, offset: number): RunningHash | null {
    const before = this.#hashes.get(uploadId);
    this.#hashes.delete(uploadId);
    if (before?.bytes === offset) return before;
    before?.end();
    return offset === 0 ? this.#deps.hashes.begin() : null;
  }

  /**
   * Claims the upload; a length that is said only now counts from now on.
   * @throws DomainError `payload_too_large`, `conflict` for a quota
   */
  #begun(claim: Claim, { actor, length, offset }: Upload, part: ReceivedPart): Promise<Claimed | null> {
    const asked = { actor, offset: part.offset, length: part.length };
    const { length: said } = part;
    if (said === null || length !== null) return claimUpload(this.#deps.db, claim, asked);
    assertFileSize(said, this.#deps);
    return this.#deps.transact(async (held) => {
      await assertMoreBytes(held, actor, said - offset, this.#deps);
      return claimUpload(held, claim, asked);
    });
  }

  #expiry(): string {
    return new Date(Date.now() + this.#deps.expirySeconds * 1000).toISOString();
  }

  #claim(uploadId: string): Claim {
    return { uploadId, holder: randomUUID(), seconds: this.#deps.expirySeconds };
  }

  async #found(id: string, caller: Caller): Promise<Upload> {
    const upload = await findUpload(this.#deps.db, id, caller);
    if (upload === null) throw notFound('upload', id);
    return upload;
  }

  /** Why it could not be claimed. */
  async #refusal({ uploadId, offset, length }: ReceivedPart, caller: Caller): Promise<DomainError> {
    const now = await this.#found(uploadId, caller);
    if (now.fault !== null) return new DomainError('validation_failed', now.fault);
    if (length !== null && now.length !== null && length !== now.length)
      return new DomainError('conflict', `the upload has the length ${now.length}`, { length: now.length });
    return new DomainError('conflict', `the upload goes on at the offset ${now.offset}, not at ${offset}`, {
      offset: now.offset,
    });
  }

  /**
   * The last file, if whoever wrote it has let go of it; else a new one, because they may still write. Nothing is
   * received for an upload whose beginning another machine has: it could never be put together.
   * @throws DomainError `not_found`
   */
  async #open({ uploadId, holder }: Claim, offset: number, isFree: boolean): Promise<Opened> {
    const { files, db } = this.#deps;
    const parts = await listParts(db, uploadId);
    await files.assertHere(parts);
    const last = isFree ? parts.at(-1) : undefined;
    if (last !== undefined && last.start + last.length === offset)
      return { handle: await files.append(last), part: last };
    const file = `${uploadId}.${holder}`;
    return { handle: await files.create(file), part: { start: offset, length: 0, file } };
  }

  async #write(
    { claim, opened: { handle, part }, part: { offset, checksum }, room, actor, isBounded, onLost }: Writing,
    content: Readable,
    stop: AbortSignal,
  ): Promise<{ readonly offset: number; readonly hash: RunningHash | null }> {
    const { uploadId } = claim;
    const hash = this.#takeHash(uploadId, offset);
    const beside = checksum === null ? null : createHash(checksum.algorithm);
    const { db, files } = this.#deps;
    const excess = isBounded ? null : () => excessOf(db, actor, this.#unrecorded.get(actor) ?? 0, this.#deps);
    const progress = new Progress({ db, claim, handle, excess, onLost }, part);
    const place = files.place(part.file);
    let unrecorded = 0;
    let isKept = false;
    try {
      const sink = new PartSink({
        handle,
        position: part.length,
        room,
        hash: beside,
        onWritten: (bytes, end) => {
          if (checksum === null) {
            hash?.add(place, end - bytes, end);
            return progress.add(bytes);
          }
          unrecorded += bytes;
          this.#noteUnrecorded(actor, bytes);
          progress.add(0);
        },
      });
      const reason = await flow(content, sink, stop);
      const isRefused = checksum !== null && (reason !== undefined || !matches(beside, checksum));
      if (!isRefused) {
        if (checksum !== null) {
          hash?.add(place, part.length, part.length + sink.bytes);
          progress.add(sink.bytes);
        }
        await progress.end();
      }
      if (hash !== null) this.#hashes.set(uploadId, hash);
      isKept = true;
      if (reason !== undefined) throw reason;
      if (isRefused)
        throw new DomainError(
          'checksum_mismatch',
          'the content sent has not the checksum of Upload-Checksum',
          {
            offset,
          },
        );
      return { offset: offset + sink.bytes, hash };
    } finally {
      if (!isKept) hash?.end();
      this.#noteUnrecorded(actor, -unrecorded);
      await handle.close();
    }
  }

  #noteUnrecorded(actor: string, bytes: number): void {
    const now = (this.#unrecorded.get(actor) ?? 0) + bytes;
    if (now > 0) this.#unrecorded.set(actor, now);
    else this.#unrecorded.delete(actor);
  }
}

interface Writing {
  readonly claim: Claim;
  readonly opened: Opened;
  readonly part: ReceivedPart;
  /** Bytes that the upload still takes. */
  readonly room: number;
  readonly actor: string;
  /** False where nobody knows how much will come: the quota is looked at meanwhile. */
  readonly isBounded: boolean;
  readonly onLost: (reason: DomainError) => void;
}

const matches = (hash: Hash | null, { digest: expected }: ChunkChecksum): boolean =>
  hash?.digest('base64') === expected;
