// Serialises rows as JSON text with exactly the fields and order of a selection (docs/architecture.md#the-way-of-a-request).
import type { Budget } from './budget/budget.ts';
import type { TextSelection } from './text-fields.ts';

/** A serialiser for the available fields, or null if the selection has another one. */
export function rowWriter<Row>(
  selection: readonly TextSelection[],
  fields: Readonly<Record<string, RowWriter<Row>>>,
): RowWriter<Row> | null {
  const parts: { prefix: string; write: RowWriter<Row> }[] = [];
  for (const { key, name, hasArguments } of selection) {
    const write = Object.hasOwn(fields, name) && !hasArguments ? fields[name] : undefined;
    if (!write) return null;
    parts.push({ prefix: `${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`, write });
  }
  return (row, budget) => {
    const most = budget?.limits.bytes ?? Infinity;
    let text = '';
    for (const part of parts) {
      text += part.prefix + part.write(row, budget);
      if (text.length > most) budget?.write(text.length);
      if (budget?.ended !== undefined) throw budget.ended;
    }
    return `${text}}`;
  };
}

/**
 * Serialises one row within the budget, also if a selection names the same large field many times.
 * @throws the error that ended the budget
 */
export type RowWriter<Row> = (row: Row, budget?: Budget) => string;

/** The rows, separated by commas. @throws the error that ended the budget */
export function writeRows<Row>(
  rows: readonly Row[],
  write: RowWriter<Row>,
  budget: Budget | undefined,
): string {
  const most = budget?.limits.bytes ?? Infinity;
  const texts: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = write(row, budget);
    texts.push(text);
    if ((length += text.length) > most) budget?.write(length);
    if (budget?.ended !== undefined) throw budget.ended;
  }
  return texts.join(',');
}
