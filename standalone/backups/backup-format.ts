// The format of a backup (docs/reference/backups.md#format): rows of every table as PostgreSQL copies them, in
// compressed parts; the files of the store by their hash; and a manifest, which comes last.
import { z } from 'zod';
import { DomainError } from '../../platform/errors.ts';

export const BACKUP_BEGINNING = 'cairn-backup.json';
export const BACKUP_MANIFEST = 'manifest.json';

/** The files of the store, one `<hash>\t<size>` in a line, in the order of their hashes. */
export const FILE_LIST = 'files';

/** Rows before compression, about: a part is put together in memory. */
export const BACKUP_PART_BYTES = 4 * 1024 * 1024;
/** A single row is at most about 64 MiB, and belongs to one part. */
export const MAX_PART_BYTES = 128 * 1024 * 1024;
/** Of the first and the last entry: a part of a table has 90 bytes in the manifest. */
export const MAX_BACKUP_DOCUMENT_BYTES = 64 * 1024 * 1024;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const TABLE_NAME = /^[a-z_]+\.[a-z0-9_]+$/;
const tableShape = z.strictObject({
  name: z.string().regex(TABLE_NAME),
  columns: z.array(z.string()).readonly(),
});
const beginningShape = z.strictObject({
  format: z.literal('cairn-backup'),
  version: z.literal(1),
  /** When it was begun, and a random part. */
  id: z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/),
  created: z.string(),
  cairn: z.string(),
  postgres: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: sha256 })),
  /** In an order in which none refers to a later one. */
  tables: z.array(tableShape),
});
const sectionShape = z.strictObject({
  name: z.string(),
  rows: z.number().int().nonnegative(),
  parts: z.array(z.strictObject({ bytes: z.number().int().nonnegative(), sha256 })),
});
const manifestShape = z.strictObject({
  ...beginningShape.shape,
  /** The last event of the log; null for a log without events. */
  position: z.number().int().nullable(),
  time: z.string().nullable(),
  sections: z.array(sectionShape),
  files: z.strictObject({
    count: z.number().int().nonnegative(),
    bytes: z.number().nonnegative(),
    /** Of their lines in the list, without those that are lost. */
    sha256,
  }),
  /** Files that the tables name and that the store did not have, or not as their hash says. */
  lost: z.array(z.strictObject({ hash: z.string(), size: z.number(), is: z.enum(['missing', 'damaged']) })),
});

export type BackupBeginning = z.infer<typeof beginningShape>;
export type Section = z.infer<typeof sectionShape>;
export type BackupManifest = z.infer<typeof manifestShape>;
export type BackedUpTable = BackupBeginning['tables'][number];

export const backupPartName = (section: string, part: number): string =>
  `tables/${section}/${String(part).padStart(8, '0')}.gz`;

export interface BackedUpFile {
  /** `sha256:…` */
  readonly hash: string;
  readonly size: number;
}

export const hexOf = (hash: string): string => hash.replace('sha256:', '');
export const backupFileName = (hash: string): string => `files/${hexOf(hash)}`;
export const fileLine = ({ hash, size }: BackedUpFile): string => `${hash}\t${size}\n`;

const FILE_LINE = /^(sha256:[0-9a-f]{64})\t(\d{1,15})$/;

/** @throws DomainError `validation_failed` */
export function readFileLine(line: string): BackedUpFile {
  const [, hash, size] = FILE_LINE.exec(line) ?? [];
  if (hash === undefined) throw refusedBackup(`lists a file without hash and size: ${line.slice(0, 100)}`);
  return { hash, size: Number(size) };
}

/** The error for a backup that cannot be used. */
export const refusedBackup = (why: string, options?: ErrorOptions): DomainError =>
  new DomainError('validation_failed', `the backup ${why}`, {}, options);

export const backupDocumentText = (document: BackupBeginning | BackupManifest): string =>
  `${JSON.stringify(document, null, 1)}\n`;

function documentOf<Document>(text: string, name: string, shape: z.ZodType<Document>): Document {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refusedBackup(`has a ${name} that is not JSON`, { cause });
  }
  const found = shape.safeParse(value);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw refusedBackup(
    `has a ${name} that this version of Cairn does not know: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

/** @throws DomainError `validation_failed` */
export const readBeginning = (text: string): BackupBeginning =>
  documentOf(text, BACKUP_BEGINNING, beginningShape);
/** @throws DomainError `validation_failed` */
export const readManifest = (text: string): BackupManifest =>
  documentOf(text, BACKUP_MANIFEST, manifestShape);
