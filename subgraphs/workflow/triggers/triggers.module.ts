// Triggers as a noun of the workflow subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { inTransaction, type Transact } from '../../../platform/database/transaction.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { WorkflowNoun } from '../noun.ts';
import { type TriggerContext, triggerResolvers } from './triggers.resolvers.ts';
import { TriggerList, TriggerService, type TriggerSlice } from './triggers.service.ts';

export const triggers: WorkflowNoun<TriggerSlice, TriggerContext> = {
  typeDefs: readSdl('subgraphs/workflow/triggers/triggers.graphql'),
  resolvers: triggerResolvers,
  permissions: {
    'Query.triggers': 'workflow:read',
    'Query.trigger': 'workflow:read',
    'Mutation.pauseTrigger': 'triggers:pause:own',
    'Mutation.resumeTrigger': 'triggers:pause:own',
  },
  services({ database, triggers: configured, cursors = null }) {
    const transact: Transact = (work) => inTransaction(database.pool, work);
    const list = new TriggerList(configured);
    return {
      triggers: perOperation(
        ({ caller, past }) =>
          new TriggerService(
            { db: readingFor(database.pool, caller), transact, list, cursors, past },
            caller,
          ),
      ),
    };
  },
};
