// Reads tables that are parsed in one go, or in large parts, in a thread of their own: whoever else is served does not
// wait for it, and its memory has a bound.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../start-thread.ts';
import type { TableOptions } from './read-table.ts';
import { TableFault, type TableRow } from './table-row.ts';

type ApartOptions = Pick<TableOptions, 'format' | 'sheet'>;

/** The messages to and from the thread. */
export type TableAsked = { readonly file: string; readonly options: ApartOptions } | 'next';
export type TableTold =
  | { readonly rows: readonly TableRow[]; readonly isEnd: boolean }
  | { readonly fault: TableFault['kind'] | null; readonly message: string };

const MAX_MEMORY_MB = 512;
/** Until the first rows, and between others: a workbook of some megabytes can take minutes. */
const MAX_SECONDS = 60;

interface Bounds {
  /** Ends the reading, in the middle of a row, too. */
  readonly signal: AbortSignal;
  readonly maxSeconds?: number;
}

/** @throws TableFault where the thread ends instead of answering, since it had no memory left, or takes too long */
async function told(
  worker: Worker,
  asked: TableAsked,
  { signal, maxSeconds = MAX_SECONDS }: Bounds,
): Promise<TableTold> {
  const late = AbortSignal.timeout(maxSeconds * 1000);
  // as the thread answers
  const answer = once(worker, 'message', { signal: AbortSignal.any([signal, late]) }) as Promise<[TableTold]>;
  worker.postMessage(asked);
  try {
    const [message] = await answer;
    return message;
  } catch (cause) {
    signal.throwIfAborted();
    if (late.aborted)
      throw new TableFault('content', 'takes too long to be read: send it as CSV or in parts', { cause });
    throw new TableFault('content', 'takes too much memory to be read: send it as CSV or in parts', {
      cause,
    });
  }
}

/** The rows of a file. @throws TableFault; the reason of the signal */
export async function* readApart(
  file: string,
  options: ApartOptions,
  bounds: Bounds,
): AsyncGenerator<TableRow> {
  const worker = await startThread('platform/tables/table-thread.ts', MAX_MEMORY_MB);
  try {
    for (let asked: TableAsked = { file, options }; ; asked = 'next') {
      const answer = await told(worker, asked, bounds);
      if ('message' in answer) {
        if (answer.fault === null) throw new Error(`a table could not be read: ${answer.message}`);
        throw new TableFault(answer.fault, answer.message);
      }
      yield* answer.rows;
      if (answer.isEnd) return;
    }
  } finally {
    await worker.terminate();
  }
}
