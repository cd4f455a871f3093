// The workflow engine's access to the supergraph: through the router, as `service:workflow`, with the rights
// of the run (docs/reference/workflow.md#who-a-run-acts-as).
import { randomUUID } from 'node:crypto';
import type { Acting, StandingRights } from '../../platform/acting.ts';
import type { Caller, Role } from '../../platform/identity.ts';
import type { PreparedOperation } from '../../platform/component.ts';
import { executeWith } from '../../subgraphs/workflow/execute-with.ts';
import type { Execute, ExecuteAs } from '../../subgraphs/workflow/deps.ts';

/**
 * @param ask a trusted document over the whole platform's schema; called when it runs, after the supergraph
 * exists
 */
export const actAsWorkflow =
  (ask: (document: string) => PreparedOperation, standing: StandingRights): ExecuteAs =>
  (acting: Acting, cause?: string) =>
    executeWith(ask, async (signal) => ({
      actor: 'service:workflow',
      ...(await standing(acting)),
      ...(acting.credential === null ? {} : { credential: acting.credential }),
      ...(cause === undefined ? {} : { cause }),
      requestId: randomUUID(),
      ...(signal === undefined ? {} : { signal }),
    }));

/**
 * Operations of the platform itself.
 * @param role `service`; another role for what only the platform itself may do
 */
export const askAsWorkflow = (
  ask: (document: string) => PreparedOperation,
  role: Role = 'service',
): Execute =>
  executeWith(ask, (signal) => ({
    actor: 'service:workflow',
    roles: [role],
    projects: '*',
    requestId: randomUUID(),
    ...(signal === undefined ? {} : { signal }),
  }));

/** The same on behalf of a caller, with at most their rights. */
export const askAsCaller = (ask: (document: string) => PreparedOperation, caller: Caller): Execute =>
  executeWith(ask, () => caller);
