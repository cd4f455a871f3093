// Records of CSV and TSV, one by one; a broken line fails alone.
import { readDelimited, TableFault } from '../../../platform/tables/read-delimited.ts';
import { AdapterFetchError, type AdapterRecord, messageOf, type ReadRecords } from './adapter.ts';
import { openSource, type SourceSettings } from './open-source.ts';

const at = (line: number | null): string => (line === null ? '' : `line ${line}: `);

export function delimitedReader(settings: SourceSettings, delimiter: ',' | '\t'): ReadRecords {
  return async function* (pull): AsyncGenerator<AdapterRecord> {
    try {
      for await (const row of readDelimited(openSource(settings, pull), delimiter)) {
        yield 'fault' in row
          ? { fault: `${at(row.line)}${row.fault}` }
          : { row: Object.fromEntries(row.cells) };
      }
    } catch (error) {
      if (pull.signal.aborted || error instanceof AdapterFetchError) throw error;
      const what =
        error instanceof TableFault && error.kind === 'content'
          ? `the source ${error.message}`
          : `the source could not be read: ${messageOf(error)}`;
      throw new AdapterFetchError(what, { cause: error });
    }
  };
}
