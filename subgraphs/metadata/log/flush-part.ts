// One kind of effect of a batch: its rows column by column, and what is done with them.
import type { StateColumnType } from './state-columns.ts';

/** `long text` is text, and sent as JSON: of an array of texts, each is escaped and parsed again. */
export type FlushColumnType = StateColumnType | 'bigint' | 'uuid' | 'bytea' | 'json' | 'long text';

/**
 * Columns of one kind of effect: its rows column by column, and what is done with them. Of JSON, a column
 * holds texts, `null` for none.
 */
export interface FlushPart {
  readonly name: string;
  readonly types: readonly FlushColumnType[];
  readonly columns: readonly (readonly unknown[])[];
  readonly sql: (rows: string) => string;
}

export const columns = <Row>(rows: readonly Row[], ...read: ((row: Row) => unknown)[]): unknown[][] =>
  read.map((f) => rows.map(f));
