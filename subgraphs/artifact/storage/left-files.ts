// Why an eviction leaves content.
import type { Kept } from './object-store.ts';
import type { LeftObject } from './stored-objects.store.ts';

export interface LeftFile extends LeftObject {
  /** One sentence. */
  readonly reason: string;
}

export function whyLeft({ heldBy, sharedWith, isUploaded }: LeftObject): string {
  const held =
    heldBy.length === 0 ? [] : [`running productions need it or have made it: ${heldBy.join(', ')}`];
  const shared =
    sharedWith.length === 0
      ? []
      : [
          `it is also used by entities of ${sharedWith.map((type) => (type === '' ? 'an unknown type' : type)).join(', ')}`,
        ];
  const uploaded = isUploaded
    ? ['it was uploaded and cannot be made again: it is only evicted by its hash']
    : [];
  return [...held, ...shared, ...uploaded].join('; ');
}

export const notArchived = (kept: Kept): LeftFile => ({
  ...kept,
  heldBy: [],
  sharedWith: [],
  isUploaded: false,
  reason: 'the archive of the log has yet to copy it: ask again then',
});
