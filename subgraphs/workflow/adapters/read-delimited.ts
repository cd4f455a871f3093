// Records of CSV and TSV: one by one, a broken line alone.
import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { parse } from 'csv-parse';
import { AdapterFetchError, type AdapterRecord, messageOf, type ReadRecords } from './adapter.ts';
import { openSource, type SourceSettings } from './open-source.ts';

/** Characters of one record, at most. */
const LONGEST_RECORD = 10_485_760;

/** How UTF-16 says that it is that: the parser reads it then. */
const UTF16 = Buffer.from([0xff, 0xfe]);

/** The same bytes, as long as they are UTF-8: read as if they were, others would become U+FFFD without a word. @throws AdapterFetchError */
async function* inUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null | undefined;
  const check = (chunk?: Uint8Array): void => {
    try {
      decoder?.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new AdapterFetchError('the source is not valid UTF-8', { cause });
    }
  };
  for await (const chunk of chunks) {
    if (decoder === undefined) decoder = UTF16.equals(chunk.subarray(0, 2)) ? null : new TextDecoder('utf-8', { fatal: true });
    check(chunk);
    yield chunk;
  }
  check();
}

/** A broken record, how many sound ones stand before it, and the line it was found on. */
interface Fault { readonly after: number; readonly line: number; readonly fault: string }

/** Whether the parser is within quotes. Where it gives a record up, it is not: else it would take all that follows for that record's field. */
interface Quoting { readonly state: { quoting: boolean } }

export function delimitedReader(settings: SourceSettings, delimiter: ',' | '\t'): ReadRecords {
  return async function* (pull): AsyncGenerator<AdapterRecord> {
    const faults: Fault[] = []; // the parser is ahead of who reads
    let last: Fault | undefined;
    const parser = parse({
      delimiter, record_delimiter: ['\r\n', '\n', '\r'], columns: (header: string[]) => distinct(header), bom: true, skip_empty_lines: true, max_record_size: LONGEST_RECORD, relax_quotes: delimiter === '\t',
      skip_records_with_error: true, on_skip: (error) => {
        (parser as unknown as Quoting).state.quoting = false; // the parser's own mark, which it leaves as it is
        const fault = { after: Number(error?.['records'] ?? 0), line: Number(error?.['lines'] ?? 0), fault: error?.message ?? 'the record could not be read' };
        if (last?.after !== fault.after || last.line !== fault.line) faults.push(fault); // one for each record, whatever else is wrong with it
        last = fault;
        return undefined;
      },
    });
    let broken: unknown;
    pipeline(Readable.from(inUtf8(openSource(settings, pull))), parser, (error) => { broken = error ?? undefined; });
    try {
      let sound = 0;
      for await (const row of parser) {
        const before = faults.findIndex(({ after }) => after > sound);
        for (const { fault } of faults.splice(0, before < 0 ? faults.length : before)) yield { fault };
        sound++;
        yield { row };
      }
    } catch (error) {
      if (pull.signal.aborted || error instanceof AdapterFetchError) throw error;
      throw new AdapterFetchError(`the source could not be read: ${messageOf(broken ?? error)}`, { cause: error });
    }
    for (const { fault } of faults) yield { fault };
  };
}

/** @throws AdapterFetchError for a header that names a column twice: one of the two would be lost */
function distinct(header: string[]): string[] {
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice !== undefined) throw new AdapterFetchError(`the header names the column ${JSON.stringify(twice)} twice`);
  return header;
}
