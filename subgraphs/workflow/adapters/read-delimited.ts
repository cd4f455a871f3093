// Records of CSV and TSV: one by one, a broken line alone.
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { AdapterFetchError, type AdapterRecord, messageOf, type ReadRecords } from './adapter.ts';
import { openSource, type SourceSettings } from './open-source.ts';

/** Characters of one record, at most. */
const LONGEST_RECORD = 10_485_760;

export function delimitedReader(settings: SourceSettings, delimiter: ',' | '\t'): ReadRecords {
  return async function* (pull): AsyncGenerator<AdapterRecord> {
    const faults: AdapterRecord[] = [];
    const parser = parse({
      delimiter, columns: (header: string[]) => distinct(header), bom: true, skip_empty_lines: true, max_record_size: LONGEST_RECORD, relax_quotes: delimiter === '\t',
      skip_records_with_error: true, on_skip: (error) => { faults.push({ fault: error?.message ?? 'the record could not be read' }); return undefined; },
    });
    let broken: unknown;
    pipeline(Readable.from(openSource(settings, pull)), parser, (error) => { broken = error ?? undefined; });
    try {
      for await (const row of parser) {
        yield* faults.splice(0);
        yield { row };
      }
    } catch (error) {
      if (pull.signal.aborted || error instanceof AdapterFetchError) throw error;
      throw new AdapterFetchError(`the source could not be read: ${messageOf(broken ?? error)}`, { cause: error });
    }
    yield* faults;
  };
}

/** @throws AdapterFetchError for a header that names a column twice: one of the two would be lost */
function distinct(header: string[]): string[] {
  const twice = header.find((name, i) => header.indexOf(name) !== i);
  if (twice !== undefined) throw new AdapterFetchError(`the header names the column ${JSON.stringify(twice)} twice`);
  return header;
}
