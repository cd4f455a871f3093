// Records of JSON documents and of JSON Lines.
import { parseJson } from '../../../platform/json.ts';
import { type AdapterRecord, messageOf, type ReadRecords } from './adapter.ts';
import { openSource, type SourceSettings } from './open-source.ts';
import { streamRecords } from './stream-records.ts';

/** Maximum bytes of one line of JSON Lines. */
const MAX_LINE_BYTES = 10_485_760;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

export function jsonReader(
  settings: SourceSettings & { readonly records?: string | undefined },
): ReadRecords {
  return (pull) => streamRecords(openSource(settings, pull), settings.records);
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | null> {
  let rest: Uint8Array[] = [];
  let size = 0;
  const whole = (): Buffer | null => (size > MAX_LINE_BYTES ? null : Buffer.concat(rest));
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      size += end - from;
      if (size <= MAX_LINE_BYTES) rest.push(chunk.subarray(from, end));
      yield whole();
      [rest, size, from] = [[], 0, end + 1];
    }
    size += chunk.length - from;
    if (size <= MAX_LINE_BYTES) rest.push(chunk.subarray(from));
    else rest = [];
  }
  if (size > 0) yield whole();
}

export function jsonLinesReader(settings: SourceSettings): ReadRecords {
  return async function* (pull): AsyncGenerator<AdapterRecord> {
    let isFirst = true;
    for await (const line of linesOf(openSource(settings, pull))) {
      if (line === null) yield { fault: `the line is longer than ${MAX_LINE_BYTES} bytes` };
      else if (line.toString('latin1').trim() !== '') yield recordOf(isFirst ? unmarked(line) : line);
      isFirst = false;
    }
  };
}

const unmarked = (line: Buffer): Buffer =>
  line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? line.subarray(BYTE_ORDER_MARK.length)
    : line;

function recordOf(line: Buffer): AdapterRecord {
  try {
    return { row: parseJson(line, 'the line') };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}
