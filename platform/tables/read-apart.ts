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

/** @throws TableFault where the thread ends instead of answering: it had no memory left */
async function told(worker: Worker, asked: TableAsked): Promise<TableTold> {
  const answer = once(worker, 'message') as Promise<[TableTold]>; // as the thread answers
  worker.postMessage(asked);
  try {
    const [message] = await answer;
    return message;
  } catch (cause) {
    throw new TableFault('content', 'takes too much memory to be read: send it as CSV or in parts', {
      cause,
    });
  }
}

/** The rows of a file. @throws TableFault */
export async function* readApart(file: string, options: ApartOptions): AsyncGenerator<TableRow> {
  const worker = await startThread('platform/tables/table-thread.ts', MAX_MEMORY_MB);
  try {
    for (let asked: TableAsked = { file, options }; ; asked = 'next') {
      const answer = await told(worker, asked);
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
