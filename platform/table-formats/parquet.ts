// Apache Parquet: row groups are written one after the other, and the index of them at the end.
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import {
  type ColumnKind,
  parsedRows,
  type RowTexts,
  type TableColumn,
  type TableFormat,
  typedValue,
} from './table.ts';

/** Bounds of a row group, which is in memory, and is encoded in one go. */
const GROUP_ROWS = 2000;
const GROUP_CHARACTERS = 1_000_000;
/** Groups after which dictionaries are tried again. */
const LOOK_EVERY = 16;

class Pieces extends ByteWriter {
  /** What has been written since. */
  taken(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

const ELEMENTS: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } },
  int: { type: 'INT64' },
  float: { type: 'DOUBLE' },
  bool: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  datetime: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
};

function elementsOf({ name, kind, many }: TableColumn): SchemaElement[] {
  const single = ELEMENTS[kind];
  if (!many) return [{ name, repetition_type: 'OPTIONAL', ...single }];
  return [
    {
      name,
      repetition_type: 'OPTIONAL',
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...single },
  ];
}

/** As the library takes it: JSON as what it is the text of, dates as their days. */
function written(kind: ColumnKind, value: unknown): unknown {
  return kind === 'json' ? (value ?? null) : typedValue(kind, value);
}

/**
 * Columns whose values differ so much that a dictionary did not pay: in the next groups nobody looks for one. Of JSON
 * it hardly ever does, and what is smallest and largest of it helps no reader.
 */
class Encodings {
  readonly #plain = new Set<number>();
  #groups = 0;

  of(i: number, { kind }: TableColumn): Pick<ColumnSource, 'encoding' | 'statistics'> {
    if (kind === 'json') return { encoding: 'PLAIN', statistics: false };
    return this.#plain.has(i) ? { encoding: 'PLAIN' } : {};
  }

  /** How a group has been written: one chunk for each column. */
  note(columns: readonly TableColumn[], { columns: chunks }: RowGroup): void {
    if (this.#groups++ % LOOK_EVERY === 0) this.#plain.clear();
    for (const [i, { kind }] of columns.entries())
      if (kind !== 'bool' && chunks[i]?.meta_data?.encodings.includes('RLE_DICTIONARY') !== true)
        this.#plain.add(i);
  }
}

function columnData(columns: readonly TableColumn[], texts: RowTexts, encodings: Encodings): ColumnSource[] {
  const rows = parsedRows(texts);
  return columns.map((column, i) => {
    const { name, kind, many } = column;
    const data = rows.map((row) => {
      const value = column.value(row);
      if (!many) return written(kind, value);
      return Array.isArray(value) ? value.map((one) => written(kind, one)) : null;
    });
    return { name, data, ...encodings.of(i, column) };
  });
}

/** Blocks put together to row groups. */
async function* groups(blocks: AsyncIterable<RowTexts>): AsyncGenerator<RowTexts, void, undefined> {
  let group: string[] = [];
  let characters = 0;
  for await (const texts of blocks) {
    for (const text of texts) {
      group.push(text);
      characters += text.length;
    }
    if (group.length < GROUP_ROWS && characters < GROUP_CHARACTERS) continue;
    yield group;
    group = [];
    characters = 0;
  }
  if (group.length > 0) yield group;
}

async function* encode(
  columns: readonly TableColumn[],
  blocks: AsyncIterable<RowTexts>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const writer = new Pieces();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
    createdBy: 'cairn',
  });
  const encodings = new Encodings();
  for await (const texts of groups(blocks)) {
    await file.write({ columnData: columnData(columns, texts, encodings), rowGroupSize: GROUP_ROWS * 2 });
    const group = file.row_groups.at(-1);
    if (group !== undefined) encodings.note(columns, group);
    yield writer.taken();
  }
  await file.finish();
  yield writer.taken();
}

export const parquet: TableFormat = {
  extension: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  encode,
};
