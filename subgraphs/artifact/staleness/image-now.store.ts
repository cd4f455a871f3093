// SQL of the container images that machines have now, by the names that workflows give them
// (docs/decisions/0178-images-are-compared-with-what-machines-have.md).
import { type PastTable, tableAt } from '../../../platform/past/past-rows.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { instantOf } from '../past/past-productions.ts';
import type { StoredImage } from '../productions/production.ts';

const IMAGE_NOW: PastTable = { schema: 'artifact', name: 'image_now', key: ['image', 'machine'] };

/** What machines have by these names, now or as of an instant. */
export async function findImagesNow(
  db: Queryable,
  images: readonly string[],
  asOf: string | null,
): Promise<StoredImage[]> {
  const { rows } = await db.query<StoredImage>(
    `SELECT DISTINCT n.image, n.digest, n.image_id FROM ${tableAt(IMAGE_NOW, asOf === null ? null : instantOf('$2'))} n
     WHERE n.image = ANY($1::text[]) AND n.image_id IS NOT NULL ORDER BY n.image, n.image_id, n.digest`,
    [images, ...(asOf === null ? [] : [asOf])],
  );
  return rows;
}

/** What a machine was found to have; without an id it has none of that name. */
export interface MachineImage extends StoredImage {
  readonly machine: string;
  /** Whether it need not be noted that it was looked at. */
  readonly isRecent: boolean;
  /** To be forgotten: see {@link forgetMachines}. */
  readonly isOver: boolean;
}

/** A machine that has not looked for a day runs nothing any more, and what it has not had for a day it need not look for. */
const IS_OVER = `n.looked_at < clock_timestamp() - interval '1 day'`;

export async function listMachineImages(db: Queryable): Promise<MachineImage[]> {
  const { rows } = await db.query<MachineImage>(
    `SELECT n.image, n.machine, n.digest, n.image_id, n.looked_at > clock_timestamp() - interval '1 hour' AS "isRecent", ${IS_OVER} AS "isOver"
     FROM artifact.image_now n`,
  );
  return rows;
}

/** The time of what it does not have is that of when this was found. */
export async function keepMachineImages(
  db: Queryable,
  machine: string,
  images: readonly StoredImage[],
): Promise<void> {
  if (images.length === 0) return;
  await db.query(
    `INSERT INTO artifact.image_now AS n (image, machine, digest, image_id)
     SELECT k.image, $1::text, k.digest, k.image_id FROM unnest($2::text[], $3::text[], $4::text[]) AS k(image, digest, image_id)
     ON CONFLICT (image, machine) DO UPDATE SET digest = excluded.digest, image_id = excluded.image_id, looked_at = clock_timestamp()`,
    [
      machine,
      images.map(({ image }) => image),
      images.map(({ digest }) => digest),
      images.map(({ image_id: id }) => id),
    ],
  );
}

export async function forgetMachines(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM artifact.image_now n WHERE ${IS_OVER}`);
}

/** Results that were made in images of these names are compared again. */
export async function makeMadeInDue(db: Queryable, images: readonly string[]): Promise<void> {
  if (images.length === 0) return;
  await db.query(
    `INSERT INTO artifact.staleness_due (kind, id)
     SELECT DISTINCT 'production', p.id FROM unnest($1::text[]) AS k(image) JOIN artifact.production p ON p.images @> k.image::jsonb
     WHERE p.status = 'completed' AND p.runner IS NOT NULL AND p.images <> '[]'
     ORDER BY 2 ON CONFLICT (kind, id) DO UPDATE SET stamp = gen_random_uuid()`,
    [images.map((image) => JSON.stringify([{ image }]))],
  );
}
