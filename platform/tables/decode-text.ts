// Makes UTF-8 of the bytes of a text file. Invalid bytes are rejected, never replaced.
import { TextDecoder } from 'node:util';
import { TableFault } from './table-row.ts';

const MARKS = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;

const markedAs = (first: Uint8Array): string =>
  MARKS.find(([, mark]) => mark.every((byte, i) => first[i] === byte))?.[0] ?? 'utf-8';

/** Names of encodings as people know them. */
const NAMES: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};

/** @throws TableFault for an encoding that is not known */
function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new TableFault('content', `has an unknown encoding: ${encoding}`, { cause });
  }
}

/**
 * The text in UTF-8, without a byte order mark.
 * @param encoding a label of the Encoding Standard; by default UTF-16 with a byte order mark, else UTF-8
 * @throws TableFault for bytes that are not text in that encoding
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding?: string,
): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  const decode = (chunk?: Uint8Array): string => {
    decoder ??= decoderOf(encoding ?? markedAs(chunk ?? Buffer.alloc(0)));
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new TableFault('content', `is not valid ${NAMES[decoder.encoding] ?? decoder.encoding}`, {
        cause,
      });
    }
  };
  let first: Uint8Array | undefined;
  for await (const chunk of chunks) {
    // a byte order mark may be cut
    const piece: Uint8Array = first === undefined ? chunk : Buffer.concat([first, chunk]);
    first = undefined;
    if (decoder === undefined && piece.length < 2) first = piece;
    else yield Buffer.from(decode(piece));
  }
  if (first !== undefined) yield Buffer.from(decode(first));
  yield Buffer.from(decode());
}
