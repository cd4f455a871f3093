// Chooses the chain of a place that a moment is restored from.
import { refusedBackup } from '../backups/backup-format.ts';
import { blobsOf, type NamedPart } from '../backups/place.ts';
import { assertMayBeUnsealed } from '../backups/sealing.ts';
import { type ChainReader, readChains } from './chain-place.ts';
import { begins, type Moment, momentText } from './moment.ts';

/** @param id of one; by default the newest that begins before the moment, and goes on after its base. @throws DomainError `validation_failed` */
export async function chainFor(
  named: NamedPart,
  moment: Moment,
  id: string | undefined,
): Promise<ChainReader> {
  const blobs = await blobsOf(named);
  if (blobs === null)
    throw refusedBackup('is a single file: a moment is restored from the place of database.archive');
  let oldest: ChainReader | undefined;
  let bare: ChainReader | undefined;
  for await (const reader of readChains(blobs, named.secrets)) {
    oldest = reader;
    if (id !== undefined ? reader.chain.id !== id : !begins(reader.chain, moment)) continue;
    // a process that ends between a base and what follows it leaves such a chain
    if (id === undefined && !(await reader.hasPieces())) {
      bare ??= reader;
      continue;
    }
    if (!reader.isSealed) assertMayBeUnsealed(named.secrets, `the archive ${reader.chain.id}`);
    return reader;
  }
  if (oldest === undefined)
    throw refusedBackup(`is not there: ${blobs.address} has no archive of a database`);
  if (bare !== undefined)
    throw refusedBackup(`ends before ${momentText(moment)}: ${bare.chain.id} has a base and no log after it`);
  throw refusedBackup(
    id !== undefined
      ? `${id} is not in ${blobs.address}`
      : `begins after ${momentText(moment)}: the oldest moment is ${oldest.chain.since.time}, position ${oldest.chain.since.position}`,
  );
}
