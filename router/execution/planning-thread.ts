// The thread that plans large documents: requests are not answered by it.
import { parentPort } from 'node:worker_threads';
import { parse } from 'graphql';
import type { LOADED } from './asked-thread.ts';
import type { PlanningMessage, PlanningAnswer } from './plan-in-worker.ts';
import { createPlanning, planOperation, type Planning } from './planner.ts';

const port = parentPort;
if (port === null) throw new Error('this module is the entry point of a worker thread');

let planning: Planning | undefined;

function planOf(source: string, operationName: string | undefined): PlanningAnswer {
  if (planning === undefined) throw new Error('a request arrived before the supergraph');
  return { plan: planOperation(planning, parse(source), operationName) };
}

function answer(message: PlanningMessage & { readonly kind: 'plan' }): PlanningAnswer {
  try {
    return planOf(message.source, message.operationName);
  } catch (fault) {
    return { message: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) };
  }
}

port.on('message', (message: PlanningMessage) => {
  if (message.kind === 'supergraph') planning = createPlanning(message.sdl, { isChecked: true });
  else port.postMessage(answer(message));
});
port.postMessage('loaded' satisfies typeof LOADED);
