// Brings attachments to their end whose process was killed, or did not hear how the write of their entity ended
// (docs/reference/artifact.md#attaching-a-file).
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';
import { asService } from '../as-service.ts';
import { NamedFiles, namesIn } from '../files/named-files.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import {
  type AttachmentLeft,
  forgetAttempt,
  listAttachmentsUnderWay,
  noteAttachment,
} from './attachments.store.ts';

const ENTITY = 'query EntityBeingAttachedTo($id: ID!) { entity(id: $id) { version data } }';
/** Attachments that are looked at in one go. */
const BATCH = 100;
/** Seconds after which a write that was not made is not made any more: no request lasts so long. */
const MAX_WRITE_SECONDS = 3600;

export interface SettleDeps {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly log: Logger;
}

/** Those that others are still making may be among them: what was written decides, not their age. */
export async function settleAttachments(deps: SettleDeps): Promise<void> {
  for (const left of await listAttachmentsUnderWay(deps.db, BATCH))
    await settle(deps, left).catch((err: unknown) => {
      const { entityId, hash } = left;
      deps.log.warn({ err, entityId, hash }, 'an attachment that was interrupted is not settled yet');
    });
}

async function settle({ db, ask }: SettleDeps, left: AttachmentLeft): Promise<void> {
  const { id, entityId, hash, fromVersion } = left;
  const entity = await question<{ readonly version: number; readonly data: unknown } | null>(
    ask,
    ENTITY,
    'entity',
    { id: entityId },
    asService(),
  );
  const mayBeWritten = entity?.version === fromVersion && left.seconds < MAX_WRITE_SECONDS;
  const isWritten =
    entity !== null &&
    (namesIn([entity.data]).has(hash) ||
      (entity.version > fromVersion && (await new NamedFiles(ask, asService()).isNamed({ entityId, hash }))));
  if (isWritten)
    await noteAttachment(db, id, { ...left, entityVersion: Math.min(entity.version, fromVersion + 1) });
  else if (!mayBeWritten) await forgetAttempt(db, id, fromVersion);
}
