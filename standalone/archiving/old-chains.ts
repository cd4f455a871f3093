// Finds the chains of a data directory that are no longer needed: those that a later one replaces for all of the time that
// is kept, and what was begun and never finished.
import { text } from 'node:stream/consumers';
import { BlobMissing } from '../backups/blobs.ts';
import { CHAIN, CHAIN_SEAL, chainFolder, CHAINS } from './chain-format.ts';
import type { WritablePlace } from './chain-place.ts';

/** When a chain was begun, as its id says. */
const begunAt = (id: string): Date =>
  new Date(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z'));

async function instanceOf({ blobs }: WritablePlace, id: string): Promise<string | undefined> {
  try {
    return (await text(await blobs.read(`${chainFolder(id)}/${CHAIN_SEAL}`))).split('\n')[1];
  } catch (fault) {
    if (fault instanceof BlobMissing) return undefined; // being removed, or of another kind
    throw fault;
  }
}

/**
 * @param current the chain that goes on; no other is being written
 * @param oldest a chain that began before it makes those before that one unnecessary
 */
export async function removableChains(
  place: WritablePlace,
  current: string | null,
  oldest: Date,
): Promise<string[]> {
  const removable: string[] = [];
  let isReplaced = false;
  for (const id of [...(await place.blobs.folders(CHAINS))].sort().reverse()) {
    if ((await instanceOf(place, id)) !== place.instance) continue;
    const isWhole = (await place.blobs.size(`${chainFolder(id)}/${CHAIN}`)) !== null;
    if (id !== current && (isReplaced || !isWhole)) removable.push(id);
    if (isWhole && begunAt(id) < oldest) isReplaced = true;
  }
  return removable;
}
