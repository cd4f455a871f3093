// Observations of triggers as a noun of the workflow subgraph, with dry runs and redeliveries.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { WorkflowNoun } from '../noun.ts';
import { type ObservationContext, observationResolvers } from './observations.resolvers.ts';
import { type ObservationDeps, ObservationService, type ObservationSlice } from './observations.service.ts';

export const observations: WorkflowNoun<ObservationSlice, ObservationContext> = {
  typeDefs: readSdl('subgraphs/workflow/observations/observations.graphql'),
  resolvers: observationResolvers,
  permissions: {
    'Query.evaluateTrigger': 'workflow:read',
    'Query.failedDeliveries': 'workflow:read',
    'Mutation.redeliver': 'workflow:run',
  },
  services({ database: { pool }, triggers, executeAs = null, asksMetadataAlone = false, log }) {
    const deps: Omit<ObservationDeps, 'db'> = {
      transact: (work) => inTransaction(pool, work),
      triggers: () => triggers,
      executeAs,
      asksMetadataAlone,
      log,
    };
    return {
      observations: perOperation(
        ({ caller }) => new ObservationService({ ...deps, db: readingFor(pool, caller) }, caller),
      ),
    };
  },
};
