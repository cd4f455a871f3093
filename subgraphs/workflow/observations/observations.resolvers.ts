// Unpacks the arguments of observations, trials and redeliveries, and makes one call each.
import type { WorkflowContext } from '../context.ts';
import type { Trigger } from '../triggers/triggers.service.ts';
import type { FailedDelivery } from './failed-deliveries.store.ts';
import type { Observation } from './observations.store.ts';
import type { Verdict } from './observation.ts';

interface PageArgs {
  readonly verdict?: Verdict | null;
  readonly limit: number;
  readonly cursor?: string | null;
}
interface EvaluateArgs {
  readonly name: string;
  readonly condition?: string | null;
  readonly since?: string | null;
  readonly asOf?: string | null;
  readonly limit: number;
}

export const observationResolvers = {
  Query: {
    failedDeliveries: (
      _: unknown,
      { trigger, limit, cursor }: { trigger?: string | null; limit: number; cursor?: string | null },
      { observations }: WorkflowContext,
    ) => observations.failed(trigger ?? null, { limit, cursor: cursor ?? null }),
    evaluateTrigger: (
      _: unknown,
      { name, condition, since, asOf, limit }: EvaluateArgs,
      { observations }: WorkflowContext,
    ) => observations.evaluate(name, condition ?? null, { since: since ?? null, asOf: asOf ?? null, limit }),
  },
  Mutation: {
    redeliver: async (
      _: unknown,
      { deliveryId }: { deliveryId: string },
      { observations }: WorkflowContext,
    ) => {
      const { status, run_id: runId } = await observations.redeliver(deliveryId);
      return { status, runId };
    },
  },
  Trigger: {
    observations: (
      { name }: Trigger,
      { verdict, limit, cursor }: PageArgs,
      { observations }: WorkflowContext,
    ) => observations.page(name, { verdict: verdict ?? null, limit, cursor: cursor ?? null }),
  },
  FailedDelivery: {
    run: ({ runId }: FailedDelivery, _: unknown, { runs }: WorkflowContext) => runs.get(runId),
  },
  TriggerObservation: {
    run: ({ runId }: Observation, _: unknown, { runs }: WorkflowContext) =>
      runId === null ? null : runs.get(runId),
  },
};
