// The thread that reads tables for read-apart.ts: a batch of rows for each message.
import { parentPort } from 'node:worker_threads';
import { jsonSize } from '../json-size.ts';
import type { TableAsked, TableTold } from './read-apart.ts';
import { readTable } from './read-table.ts';
import { TableFault, type TableRow } from './table-row.ts';

/** Rows, and characters of rows, of one message. */
const BATCH_ROWS = 500;
const BATCH_SIZE = 1024 * 1024;

let rows: AsyncGenerator<TableRow> | undefined;

async function nextBatch(): Promise<TableTold> {
  const batch: TableRow[] = [];
  for (let size = 0; batch.length < BATCH_ROWS && size < BATCH_SIZE;) {
    const step = await rows?.next();
    if (step === undefined || step.done === true) return { rows: batch, isEnd: true };
    batch.push(step.value);
    size += jsonSize('row' in step.value ? step.value.row : step.value.fault, BATCH_SIZE);
  }
  return { rows: batch, isEnd: false };
}

const port = parentPort;
port?.on('message', (asked: TableAsked) => {
  if (asked !== 'next') rows = readTable({ file: asked.file }, asked.options);
  nextBatch().then(
    (told) => {
      port.postMessage(told);
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const fault = error instanceof TableFault ? error.kind : null;
      port.postMessage({ fault, message } satisfies TableTold);
    },
  );
});
