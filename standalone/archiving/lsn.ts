// Places in PostgreSQL's write-ahead log, which count its bytes, and the names of its files.

/** Of every cluster of ours: `initdb` was told nothing else. */
export const SEGMENT_BYTES = 16n * 1024n * 1024n;
const SEGMENTS_PER_GROUP = 0x1_0000_0000n / SEGMENT_BYTES;

/** @param text `0/16B3748` */
export function readLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();

/** Where the segment after the one begins that the byte before this place is in. */
export const nextSegment = (lsn: bigint): bigint => ((lsn - 1n) / SEGMENT_BYTES + 1n) * SEGMENT_BYTES;

const eight = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0');

/** The file that this place is in. */
export function segmentName(timeline: number, lsn: bigint): string {
  const number = lsn / SEGMENT_BYTES;
  return eight(BigInt(timeline)) + eight(number / SEGMENTS_PER_GROUP) + eight(number % SEGMENTS_PER_GROUP);
}
