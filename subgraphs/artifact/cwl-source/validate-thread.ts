// The worker thread that validates CWL workflows, so that a document cannot block the thread that answers
// requests.
import { parentPort } from 'node:worker_threads';
import { validateCwl } from '../cwl/validate.ts';
import type { Asked, Told } from './validate-in-worker.ts';

const port = parentPort;
if (port === null) throw new Error('this module is the entry point of a worker thread');
const say = (message: Told): void => {
  port.postMessage(message);
};

interface Reading {
  readonly resolve: (text: string) => void;
  readonly reject: (fault: Error) => void;
}
const reading = new Map<number, Reading>();
let readings = 0;

port.on('message', (message: Asked) => {
  if (message.kind === 'read') {
    const waiting = reading.get(message.reading);
    reading.delete(message.reading);
    if ('text' in message) waiting?.resolve(message.text);
    else waiting?.reject(new Error(message.fault));
    return;
  }
  const { id, text, url } = message;
  const read = (address: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const number = ++readings;
      reading.set(number, { resolve, reject });
      say({ kind: 'read', id, reading: number, address });
    });
  validateCwl(text, { url, read }).then(
    (result) => {
      say({ kind: 'result', id, result });
    },
    (fault: unknown) => {
      say({
        kind: 'fault',
        id,
        message: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
      });
    },
  );
});
