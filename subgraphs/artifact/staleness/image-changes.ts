// Whether a container image is still on any machine as a production ran in it (docs/reference/artifact.md#staleness).
import type { StoredImage } from '../productions/production.ts';

export interface ImageChange {
  readonly kind: 'IMAGE_CHANGED';
  readonly message: string;
  readonly image: string;
  readonly fromDigest: string;
  readonly toDigest: string;
}

/** What no machine has any more as it was; where nothing is known of a side there is no change. */
export function imageChange(was: StoredImage, now: readonly StoredImage[]): readonly ImageChange[] {
  const isSame = (is: StoredImage): boolean =>
    is.image_id === was.image_id || (is.digest !== null && is.digest === was.digest);
  const [is] = now;
  if (was.image_id === null || is?.image_id == null || now.some(isSame)) return [];
  const [from, to] =
    was.digest === null || is.digest === null ? [was.image_id, is.image_id] : [was.digest, is.digest];
  const message = `image ${was.image}: ${from} -> ${to}`;
  return [{ kind: 'IMAGE_CHANGED', message, image: was.image, fromDigest: from, toDigest: to }];
}

/** Why it is not compared; null where it is. A digest in its name is part of the workflow. */
export function imageNotKnown(
  { image, image_id: was, digest }: StoredImage,
  now: readonly StoredImage[],
): string | null {
  if (digest !== null && image.endsWith(`@${digest}`)) return null;
  if (was === null) return `image ${image}: its content was not recorded, since the engine does not tell it`;
  return now.length === 0 ? `image ${image}: no machine tells which content it has now` : null;
}
