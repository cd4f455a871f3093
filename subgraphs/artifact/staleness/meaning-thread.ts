// The worker thread that reads what large workflows mean, so that they do not block the thread that answers requests.
import { parentPort } from 'node:worker_threads';
import type { KeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { meaningOf } from './workflow-meaning.ts';

const port = parentPort;
if (port === null) throw new Error('this module is the entry point of a worker thread');
port.once('message', (asked: Pick<KeptWorkflow, 'documents'>) => {
  port.postMessage(meaningOf(asked));
});
