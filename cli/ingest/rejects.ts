// Writes the rows that were refused to a file, beside their line and reason, to be corrected and loaded again:
// a load leaves columns that begin with `cairn:` alone.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { isObject } from '../../platform/json-object.ts';
import { Failure } from '../failure.ts';
import type { Outcome } from './load.ts';
import { OWN } from '../../platform/tables/column-names.ts';

const LINE = `${OWN}line`;
const REASON = `${OWN}reason`;

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export class Rejects {
  readonly #stream: WriteStream;
  readonly #delimiter: string | null;
  readonly #columns: () => readonly string[];
  #isBegun = false;
  #fault: Error | undefined;

  /**
   * NDJSON for the extensions of JSON, TSV or CSV.
   * @param columns of the table; asked when the first row is written
   */
  constructor(file: string, columns: () => readonly string[]) {
    const extension = path.extname(file).toLowerCase();
    if (['.json', '.ndjson', '.jsonl'].includes(extension)) this.#delimiter = null;
    else this.#delimiter = extension === '.tsv' ? '\t' : ',';
    this.#columns = columns;
    this.#stream = createWriteStream(file);
    this.#stream.on('error', (error) => {
      this.#fault = error;
    });
  }

  async add(outcomes: readonly Outcome[]): Promise<void> {
    const text = outcomes
      .filter(({ refusal }) => refusal !== undefined)
      .map((outcome) => this.#textOf(outcome))
      .join('');
    if (this.#fault !== undefined) throw notWritten(this.#fault);
    if (text !== '' && !this.#stream.write(text))
      await Promise.race([once(this.#stream, 'drain'), this.#ended()]);
  }

  async #ended(): Promise<void> {
    await finished(this.#stream).catch((error: unknown) => {
      throw notWritten(error);
    });
  }

  #textOf({ sent: { line, row }, refusal }: Outcome): string {
    const reason = refusal?.message ?? '';
    if (this.#delimiter === null) {
      const unnamed = row === undefined ? {} : { [`${OWN}row`]: row };
      const own = isObject(row) ? without(row) : unnamed;
      return `${JSON.stringify({ [LINE]: line, [REASON]: reason, ...own })}\n`;
    }
    const columns = this.#columns().filter((column) => !column.startsWith(OWN));
    const cells = Array.isArray(row) ? row : columns.map((column) => (isObject(row) ? row[column] : ''));
    const lines = [[line ?? '', reason, ...cells.map(cellOf)]];
    if (!this.#isBegun) lines.unshift([LINE, REASON, ...columns]);
    this.#isBegun = true;
    return stringify(lines, { delimiter: this.#delimiter });
  }

  /** @throws Failure where the file could not be written */
  async close(): Promise<void> {
    this.#stream.end();
    await this.#ended();
  }
}

const without = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(OWN)));

const notWritten = (cause: unknown): Failure =>
  new Failure(
    `--rejects cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    {},
    { cause },
  );
