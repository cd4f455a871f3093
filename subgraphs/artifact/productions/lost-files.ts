// Entities whose stored files are missing or altered cannot be used (docs/reference/artifact.md#produce).
import { asService, setAvailability } from '../as-service.ts';
import type { AskPlatform } from '../platform-port.ts';
import type { Storage } from '../storage/storage.service.ts';

export type Unsound = Awaited<ReturnType<Storage['unsound']>>;

const whyLost = ({ file: { field, hash }, is }: Unsound[number]): string =>
  `its file ${hash} (${field}) is ${is} in the artifact store`;

/** Why each of them cannot be used, by its id. */
export const lostEntities = (unsound: Unsound): ReadonlyMap<string, string> =>
  new Map(unsound.map((one) => [one.file.entityId, whyLost(one)]));

/** Makes them unavailable, with an event that says why. */
export async function makeUnavailable(ask: AskPlatform, unsound: Unsound): Promise<void> {
  for (const one of unsound) {
    const { entityType, entityId, hash } = one.file;
    const context = { found_by: asService().actor, [one.is]: hash };
    await setAvailability(ask, entityType, [entityId], false, whyLost(one), context);
  }
}
