// Prints the example's progress and tables.

/** Returns a progress reporter: one updated line on a terminal, one line per quarter elsewhere. */
export function progress(label: string, total: number, out: NodeJS.WriteStream): (done: number) => void {
  const quarter = Math.max(1, Math.ceil(total / 4));
  if (!out.isTTY) {
    return (done) => {
      if (done % quarter === 0 || done === total) out.write(`${label}: ${done} of ${total}\n`);
    };
  }
  const width = 30;
  let drawn = -1;
  return (done) => {
    const filled = Math.floor((done / total) * width);
    const percent = Math.floor((done / total) * 100);
    if (percent === drawn) return;
    drawn = percent;
    out.write(
      `\r${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total}${done === total ? '\n' : ''}`,
    );
  };
}

const MAX_WIDTH = 48;
const shorten = (text: string): string =>
  text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH - 1)}…` : text;

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return shorten(value.map(String).join(', '));
  return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Formats at most `most` rows as aligned columns with names. */
export function table(rows: readonly Readonly<Record<string, unknown>>[], most: number): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.slice(0, most).map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const text = lines.map(
    (line) =>
      `  ${line
        .map((field, i) => field.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}`,
  );
  if (rows.length > most) text.push(`  … and ${rows.length - most} more`);
  return text.join('\n');
}
