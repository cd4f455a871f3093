// Reads tab-separated tables with optionally quoted fields, as rows by column name.

export type Row = Readonly<Record<string, string>>;

/** Reads a field that begins at `start`: its text, and the position of the delimiter after it. */
function readField(text: string, start: number): { value: string; end: number } {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== '\t' && text[end] !== '\n') end++;
    return { value: text.slice(start, end), end };
  }
  let value = '';
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw new Error(`a quote is not closed: ${text.slice(start, start + 40)}`);
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"'; // "" inside quotes is one quote
    at = quote + 1;
  }
}

/** Reads the records of a text in which every line has a line end. */
function readRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length;) {
    const { value, end } = readField(text, at);
    record.push(value);
    at = end + 1;
    if (text[end] === '\t') continue;
    if (text[end] !== '\n') throw new Error(`a field goes on behind its quote: ${text.slice(end, end + 40)}`);
    records.push(record);
    record = [];
  }
  return records;
}

/**
 * Returns the table's rows. Names and values are trimmed; a row whose length differs from the header's is an
 * error.
 */
export function readTsv(text: string): Row[] {
  const lines = text.replaceAll('\r\n', '\n');
  const [head, ...records] = readRecords(lines.endsWith('\n') ? lines : `${lines}\n`);
  if (!head) throw new Error('the table is empty');
  const names = head.map((name) => name.trim());
  return records.map((record, i) => {
    if (record.length !== names.length)
      throw new Error(`row ${i + 2} has ${record.length} fields, not ${names.length}`);
    return Object.fromEntries(names.map((name, column) => [name, record[column]?.trim() ?? '']));
  });
}

/** Returns a column's text. @throws Error for a column that does not exist */
export function column(row: Row, name: string): string {
  const value = row[name];
  if (value === undefined) throw new Error(`there is no column ${name}`);
  return value;
}
