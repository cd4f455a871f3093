// What each root field of the workflow subgraph needs (contract 1.2).
import type { Permission } from '../../platform/permissions.ts';
import type { RootCoordinate } from '../../platform/subgraph.ts';

export const workflowPermissions: Readonly<Record<RootCoordinate, Permission>> = {
  'Query.triggers': 'workflow:read',
  'Query.trigger': 'workflow:read',
  'Query.runs': 'workflow:read',
  'Query.run': 'workflow:read',
  'Query.evaluateTrigger': 'workflow:read',
  'Query.failedDeliveries': 'workflow:read',
  'Mutation.runTrigger': 'workflow:run',
  'Mutation.submitRun': 'workflow:run',
  'Mutation.cancelRun': 'workflow:run',
  'Mutation.redeliver': 'workflow:run',
  'Subscription.runProgress': 'workflow:read',
};
