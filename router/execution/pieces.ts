// Preparing an operation in pieces: of a small document all at once, of a large one with others' turns between
// them, and planned in another thread.
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode } from 'graphql';
import { tallies } from '../../platform/metrics/process-metrics.ts';
import { Turn } from '../../platform/turns.ts';
import type { Asker } from './asked-thread.ts';
import type { Composition } from './compose.ts';
import { planInWorker } from './plan-in-worker.ts';
import { planOperation } from './planner.ts';

/** A plan that is wanted before the work goes on. */
interface Wanted {
  readonly composition: Composition;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
}

/** Work in pieces: between two of them, which `undefined` says, others may run. */
export type Pieces<Made> = Generator<Wanted | undefined, Made, QueryPlan | undefined>;

/** The plan of a valid document, from wherever plans are made for who drives the work. */
export function* planned(
  composition: Composition,
  document: DocumentNode,
  operationName: string | undefined,
): Pieces<QueryPlan> {
  const plan = yield { composition, document, operationName };
  if (plan === undefined) throw new Error('a plan was expected');
  return plan;
}

const plans = tallies('cairn_graphql_plans_total', 'Query plans that were made, by where.', 'where', [
  'main_thread',
  'worker_thread',
]);

function planOf({ composition, document, operationName }: Wanted): QueryPlan {
  plans.main_thread.value++;
  return planOperation(composition.planning(), document, operationName);
}

type Step<Made> = IteratorResult<Wanted | undefined, Made>;

/** @param begun where the first step has been taken already */
export function atOnce<Made>(pieces: Pieces<Made>, begun: Step<Made> = pieces.next()): Made {
  let step = begun;
  while (step.done !== true) step = pieces.next(step.value && planOf(step.value));
  return step.value;
}

/** Rejects where a plan cannot be had, and with what the pieces throw. */
export async function finishInTurns<Made>(
  pieces: Pieces<Made>,
  begun: Step<Made>,
  asker: Asker,
): Promise<Made> {
  const turn = new Turn();
  let step = begun;
  while (step.done !== true) {
    const wanted = step.value;
    if (wanted) plans.worker_thread.value++;
    const plan =
      wanted && (await planInWorker(wanted.composition, wanted.document, wanted.operationName, asker));
    if (turn.isOver) await turn.next();
    step = pieces.next(plan);
  }
  return step.value;
}
