// What one actor's uploads may have together (docs/reference/artifact.md#uploads).
import { DomainError } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { lockQuota, quotaUsed } from './uploads.store.ts';

export interface UploadQuota {
  /** Of one file. */
  readonly fileBytes: number;
  /** Of one actor's unfinished and unattached files. */
  readonly bytesPerActor: number;
  readonly unfinishedPerActor: number;
}

/** @throws DomainError `payload_too_large` */
export function assertFileSize(length: number, { fileBytes }: Pick<UploadQuota, 'fileBytes'>): void {
  if (length > fileBytes)
    throw new DomainError('payload_too_large', `a file has at most ${fileBytes} bytes`, { limit: fileBytes });
}

function assertBytes(used: number, more: number, { bytesPerActor }: UploadQuota): void {
  if (used + more > bytesPerActor)
    throw new DomainError(
      'conflict',
      `your unfinished uploads and files that no entity holds would have more than ${bytesPerActor} bytes: attach or cancel some`,
      { limit: bytesPerActor, used },
    );
}

/** To be called in a transaction, which others of the actor wait for. @throws DomainError `conflict` */
export async function assertOneMore(
  held: Queryable,
  actor: string,
  bytes: number,
  quota: UploadQuota,
): Promise<void> {
  await lockQuota(held, actor);
  const { unfinished, bytes: used } = await quotaUsed(held, actor);
  if (unfinished >= quota.unfinishedPerActor)
    throw new DomainError(
      'conflict',
      `you have ${unfinished} unfinished uploads, and may have ${quota.unfinishedPerActor}: finish or cancel one`,
      { limit: quota.unfinishedPerActor },
    );
  assertBytes(used, bytes, quota);
}

/** For an upload that turns out to be longer than what counts of it; in a transaction. @throws DomainError `conflict` */
export async function assertMoreBytes(
  held: Queryable,
  actor: string,
  more: number,
  quota: UploadQuota,
): Promise<void> {
  await lockQuota(held, actor);
  assertBytes((await quotaUsed(held, actor)).bytes, more, quota);
}

/**
 * Why an upload whose length nobody knows ends now; undefined as long as it may go on.
 * @param unrecorded bytes that the database does not know of
 */
export async function excessOf(
  db: Queryable,
  actor: string,
  unrecorded: number,
  quota: UploadQuota,
): Promise<DomainError | undefined> {
  const { bytes } = await quotaUsed(db, actor);
  try {
    assertBytes(bytes, unrecorded, quota);
  } catch (excess) {
    return excess as DomainError; // it throws nothing else
  }
  return undefined;
}
