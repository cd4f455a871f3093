// Newline-delimited JSON: each row as the JSON answer has it.
import type { RowTexts, TableColumn, TableFormat } from './table.ts';

async function* encode(
  _: readonly TableColumn[],
  blocks: AsyncIterable<RowTexts>,
): AsyncGenerator<string, void, undefined> {
  for await (const texts of blocks) if (texts.length > 0) yield `${texts.join('\n')}\n`;
}

export const ndjson: TableFormat = { extension: 'ndjson', mediaType: 'application/x-ndjson', encode };
