// Decodes bytes into text and lines. Invalid UTF-8 is rejected, never replaced.
import type { Readable } from 'node:stream';
import { Failure } from '../failure.ts';

/** Returns chunks of text without a byte order mark. @throws Failure where the bytes are not UTF-8 */
export async function* decoded(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new Failure('the input is not valid UTF-8', {}, { cause });
    }
  };
  // a stream without encoding returns bytes
  for await (const chunk of stream) yield decode(chunk as Uint8Array);
  yield decode();
}

/** Returns lines without their line ends, counted from 1. */
export async function* linesOf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  let rest = '';
  let line = 0;
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield { line: ++line, text: part.endsWith('\r') ? part.slice(0, -1) : part };
  }
  if (rest !== '') yield { line: line + 1, text: rest };
}
