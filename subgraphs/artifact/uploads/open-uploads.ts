// What uploads need as long as the component runs, and what removes those that nobody goes on with.
import path from 'node:path';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { callerWith } from '../../../platform/caller-with.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Caller } from '../../../platform/identity.ts';
import { inTransaction, type Transact } from '../../../platform/database/transaction.ts';
import { AttachmentService } from '../attachments/attachments.service.ts';
import { settleAttachments } from '../attachments/settle-attachments.ts';
import { FileService } from '../files/files.service.ts';
import type { AskPlatform } from '../platform-port.ts';
import type { Storage } from '../storage/storage.service.ts';
import { UploadedContent } from '../storage/uploaded-content.ts';
import { UploadFiles } from './upload-files.ts';
import { RunningHashes } from './running-hashes.ts';
import { UploadReceiver } from './upload-receiver.ts';
import { deleteUpload, existingUploads, listExpiredUploads } from './upload-parts.store.ts';
import type { UploadDeps } from './uploads.service.ts';

export interface UploadsOptions {
  readonly pool: Pool;
  readonly ask: AskPlatform;
  readonly storage: Storage;
  readonly settings: Config['artifact'];
  readonly workDirectory: string;
  readonly publicUrl: () => string;
  readonly log: Logger;
}

export interface Uploads extends UploadDeps {
  /** Begins to remove what has expired, now and from time to time. */
  begin(): void;
  /** Removes what has expired, and brings attachments to their end that were interrupted. */
  sweep(): Promise<void>;
  close(): void;
}

/** Milliseconds between two looks for what has expired. */
const SWEEP_MS = 60_000;
const BATCH = 100;
/** Milliseconds after which a file is removed that belongs to no upload. */
const STALE_MS = 3_600_000;

/** In the store's own directory, so that a whole file is moved and not copied. */
const directoryOf = ({ store }: Config['artifact'], workDirectory: string): string =>
  store.type === 'file' && store.path !== undefined
    ? path.join(store.path, 'uploads')
    : path.join(path.dirname(workDirectory), 'artifact-uploads');

/** The same caller, for what is completed even if they have gone. */
const lasting = (caller: Caller): Caller => callerWith(caller, { budget: undefined }, () => undefined);

export function openUploads({
  pool,
  ask,
  storage,
  settings,
  workDirectory,
  publicUrl,
  log,
}: UploadsOptions): Uploads {
  const transact: Transact = (work) => inTransaction(pool, work);
  const files = new UploadFiles(directoryOf(settings, workDirectory));
  const content = new UploadedContent(pool, transact, () => storage.objects());
  const { uploads } = settings;
  const hashes = new RunningHashes(log);
  const receiver = new UploadReceiver({
    db: pool,
    transact,
    files,
    content,
    hashes,
    ...uploads,
    async attach({ entityId, field, name, context }, hash, asked) {
      if (entityId === null || field === null) return;
      const caller = lasting(asked);
      const stored = new FileService(pool, ask, storage, caller);
      await new AttachmentService(
        { db: pool, ask, publicUrl, usable: (one) => stored.get(one) },
        caller,
      ).attach({ entityId, field, hash, name, versions: null, context });
    },
  });
  const sweep = async (): Promise<void> => {
    for (const id of await listExpiredUploads(pool, BATCH)) {
      const gone = await deleteUpload(pool, id);
      receiver.end(id);
      await files.remove(gone);
    }
    const stale = await files.stale(STALE_MS);
    const known = await existingUploads(pool, [...stale.keys()]);
    for (const [id, names] of stale) if (!known.has(id)) await files.remove(names);
    await content.removeExpired();
    await settleAttachments({ db: pool, ask, log });
  };
  const sweepAndTell = (): void =>
    void sweep().catch((err: unknown) => {
      log.warn({ err }, 'expired uploads could not be removed');
    });
  let timer: NodeJS.Timeout | undefined;
  return {
    db: pool,
    transact,
    settings: uploads,
    receiver,
    files,
    sweep,
    begin() {
      sweepAndTell();
      timer = setInterval(sweepAndTell, SWEEP_MS).unref();
    },
    close() {
      clearInterval(timer);
      hashes.close();
    },
  };
}
