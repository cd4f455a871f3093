// The format of the archive of the write-ahead log (docs/reference/backups.md#archive-of-the-write-ahead-log): chains,
// each a base backup and the pieces of the log that were written since.
import { z } from 'zod';
import { refusedBackup } from '../backups/backup-format.ts';

export const CHAINS = 'archives';
export const CHAIN = 'chain.json';
/** In clear: whether the rest is sealed and for whom, and the data directory that it is of. */
export const CHAIN_SEAL = 'sealed';
/** Of the base backup and of the log, before compression. */
export const CHAIN_PART_BYTES = 8 * 1024 * 1024;
/** A part is at most one message longer than that. */
export const MAX_CHAIN_PART_BYTES = 2 * CHAIN_PART_BYTES;

export const chainFolder = (id: string): string => `${CHAINS}/${id}`;
export const basePartName = (number: number): string => `base/${String(number).padStart(8, '0')}.gz`;
/** In folders of a thousand. */
export const pieceName = (number: number): string =>
  `wal/${String(Math.floor(number / 1000)).padStart(6, '0')}/${String(number).padStart(9, '0')}`;

const LSN = z.string().regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const markShape = z.strictObject({ lsn: LSN, time: z.iso.datetime(), position: z.number().int() });
const chainShape = z.strictObject({
  format: z.literal('cairn-wal-archive'),
  version: z.literal(1),
  /** When it was begun, and a random part. */
  id: z.string().regex(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/),
  /** Of the data directory that is archived: what others have put in the same place is not removed. */
  instance: z.string().regex(/^[0-9a-f]{16}$/),
  created: z.string(),
  cairn: z.string(),
  /** The version of PostgreSQL, and the machine that its files are for. */
  postgres: z.string(),
  platform: z.string(),
  system: z.string(),
  timeline: z.number().int().positive(),
  parts: z.array(z.strictObject({ bytes: z.number().int(), sha256 })),
  /** Where the pieces of the log begin. */
  wal_from: LSN,
  /** From here on any moment can be restored. */
  since: markShape,
});
const headerShape = z.strictObject({
  from: LSN,
  to: LSN,
  sha256,
  /** Absent where the piece ends before what is known to be before a place. */
  mark: markShape.optional(),
  /** Transaction, first and last event of each, since the last piece with a mark. */
  written: z.array(z.tuple([z.string().regex(/^\d+$/), z.number().int(), z.number().int()])),
});

export type Chain = z.infer<typeof chainShape>;
export type PieceHeader = z.infer<typeof headerShape>;

function parsed<Shape>(text: string, what: string, shape: z.ZodType<Shape>): Shape {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refusedBackup(`is damaged: ${what} is not JSON`, { cause });
  }
  const found = shape.safeParse(value);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw refusedBackup(
    `has ${what} that this version of Cairn does not know: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

export const chainText = (chain: Chain): string => `${JSON.stringify(chain, null, 1)}\n`;
/** @throws DomainError `validation_failed` */
export const readChain = (text: string): Chain => parsed(text, 'an archive', chainShape);

/** A line of JSON, and the compressed log. */
export const pieceBytes = (header: PieceHeader, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), content]);

/** @throws DomainError `validation_failed` */
export function readPiece(bytes: Buffer): { readonly header: PieceHeader; readonly content: Buffer } {
  const end = bytes.indexOf(0x0a);
  if (end === -1) throw refusedBackup('is damaged: a piece of the log has no header');
  const header = parsed(bytes.subarray(0, end).toString(), 'a piece of the log', headerShape);
  return { header, content: bytes.subarray(end + 1) };
}
