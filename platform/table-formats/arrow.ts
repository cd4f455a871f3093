// Apache Arrow's stream format: a record batch for each block. The library is loaded when it is needed.
import type * as ArrowLibrary from 'apache-arrow';
import type { Data, DataType } from 'apache-arrow';
import {
  type ColumnKind,
  DAY_MS,
  type RowTexts,
  type TableColumn,
  type TableFormat,
  typedValue,
  valuesOf,
} from './table.ts';

type Arrow = typeof ArrowLibrary;

function typeOf(arrow: Arrow, kind: ColumnKind): DataType {
  switch (kind) {
    case 'string':
    case 'json':
      return new arrow.Utf8();
    case 'int':
      return new arrow.Int64();
    case 'float':
      return new arrow.Float64();
    case 'bool':
      return new arrow.Bool();
    case 'date':
      return new arrow.DateDay();
    case 'datetime':
      return new arrow.TimestampMicrosecond('UTC');
    default:
      return kind satisfies never;
  }
}

/** The one chunk of a vector. */
function built<Type extends DataType>(arrow: Arrow, type: Type, values: readonly unknown[]): Data<Type> {
  const [data] = arrow.vectorFromArray<Type>(values, type).data;
  if (data === undefined) throw new Error('a vector has no data');
  return data;
}

/** Which of the values there are. */
const presence = (arrow: Arrow, values: readonly unknown[]): Data =>
  built(
    arrow,
    new arrow.Bool(),
    values.map((value) => (value === null ? null : true)),
  );

/** Texts, put together at once: the library's builder takes several times as long. */
function texts(arrow: Arrow, values: readonly (string | null)[]): Data {
  const valueOffsets = new Int32Array(values.length + 1);
  for (const [i, text] of values.entries())
    valueOffsets[i + 1] = (valueOffsets[i] ?? 0) + (text === null ? 0 : Buffer.byteLength(text));
  const data = Buffer.alloc(valueOffsets[values.length] ?? 0);
  for (const [i, text] of values.entries()) if (text !== null) data.write(text, valueOffsets[i] ?? 0);
  const { length, nullCount, nullBitmap } = presence(arrow, values);
  return arrow.makeData({ type: new arrow.Utf8(), length, nullCount, nullBitmap, valueOffsets, data });
}

function singles(arrow: Arrow, kind: ColumnKind, values: readonly unknown[]): Data {
  const typed = values.map((value) => typedValue(kind, value));
  switch (kind) {
    case 'string':
    case 'json':
      return texts(arrow, typed as (string | null)[]); // by typedValue
    case 'date':
      return built(
        arrow,
        typeOf(arrow, kind),
        typed.map((days) => (days === null ? null : Number(days) * DAY_MS)),
      );
    case 'datetime': {
      // the library's own way from numbers to microseconds loses digits
      const int = built(arrow, new arrow.Int64(), typed);
      const { length, nullCount, nullBitmap, values: data } = int;
      const type = new arrow.TimestampMicrosecond('UTC');
      return arrow.makeData({ type, length, nullCount, nullBitmap, data });
    }
    default:
      return built(arrow, typeOf(arrow, kind), typed);
  }
}

function lists(arrow: Arrow, kind: ColumnKind, values: readonly unknown[]): Data {
  const each = values.map((value): readonly unknown[] | null => (Array.isArray(value) ? value : null));
  const valueOffsets = new Int32Array(each.length + 1);
  for (const [i, list] of each.entries()) valueOffsets[i + 1] = (valueOffsets[i] ?? 0) + (list?.length ?? 0);
  const child = singles(
    arrow,
    kind,
    each.flatMap((list) => list ?? []),
  );
  const present = presence(arrow, each);
  return arrow.makeData({
    type: new arrow.List(new arrow.Field('item', child.type, true)),
    length: each.length,
    nullCount: present.nullCount,
    nullBitmap: present.nullBitmap,
    valueOffsets,
    child,
  });
}

async function* encode(
  columns: readonly TableColumn[],
  blocks: AsyncIterable<RowTexts>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const arrow = await import('apache-arrow');
  class Sink extends arrow.AsyncByteQueue {
    /** What has been written since. */
    taken(): Uint8Array[] {
      return this._values.splice(0);
    }
  }
  const sink = new Sink();
  const batchOf = (texts: RowTexts) => {
    const rows = valuesOf(columns, texts);
    const children = columns.map(({ kind, many }, i) => {
      const values = rows.map((row) => row[i]);
      return many ? lists(arrow, kind, values) : singles(arrow, kind, values);
    });
    const schema = new arrow.Schema(
      columns.map(({ name }, i) => new arrow.Field(name, children[i]?.type ?? new arrow.Null(), true)),
    );
    const type = new arrow.Struct(schema.fields);
    return new arrow.RecordBatch(
      schema,
      arrow.makeData({ type, length: texts.length, nullCount: 0, children }),
    );
  };
  const writer = new arrow.RecordBatchStreamWriter({ autoDestroy: false }).reset(sink, batchOf([]).schema);
  for await (const texts of blocks) {
    writer.write(batchOf(texts));
    yield* sink.taken();
  }
  writer.finish();
  yield* sink.taken();
}

export const arrow: TableFormat = {
  extension: 'arrow',
  mediaType: 'application/vnd.apache.arrow.stream',
  encode,
};
