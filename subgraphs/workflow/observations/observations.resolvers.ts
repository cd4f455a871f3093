// Resolvers of observations, dry runs and redeliveries.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { assertOfPresent } from '../../../platform/past/as-of-fields.ts';
import { warnOnce } from '../../../platform/warnings.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { RunSlice } from '../run-records/runs.service.ts';
import type { ObservationSlice } from './observations.service.ts';

export type ObservationContext = OperationContext & ObservationSlice & RunSlice;

export const observationResolvers = {
  Query: {
    failedDeliveries: (_, { trigger, limit, cursor }, { observations }) =>
      observations.failed(trigger ?? null, { limit, cursor: cursor ?? null }),
    evaluateTrigger: async (_, { name, condition, since, asOf, limit }, { observations, extensions }) => {
      const window = { since: since ?? null, asOf: asOf ?? null, limit };
      const evaluation = await observations.evaluate(name, condition ?? null, window);
      if (evaluation.isCut)
        warnOnce(extensions, `the evaluation is cut at ${limit}: use since and asOf to narrow the window`);
      return { ...evaluation, trials: evaluation.trials.map((trial) => ({ reason: null, ...trial })) };
    },
  },
  Mutation: {
    redeliver: async (_, { deliveryId }, { observations }) => {
      const { status, run_id: runId } = await observations.redeliver(deliveryId);
      return { status, runId };
    },
  },
  Trigger: {
    observations: ({ name, asOf }, { verdict, limit, cursor }, { observations }) => {
      assertOfPresent(asOf, 'Trigger.observations');
      return observations.page(name, { verdict: verdict ?? null, limit, cursor: cursor ?? null });
    },
  },
  FailedDelivery: {
    run: ({ runId }, _, { runs }) => runs.get(runId),
  },
  TriggerObservation: {
    run: ({ runId }, _, { runs }) => (runId === null ? null : runs.get(runId)),
  },
} satisfies Resolvers<ObservationContext>;
