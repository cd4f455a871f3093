// How the workflow engine asks the supergraph: through the router, as `service:workflow`, with the rights
// that it acts with (docs/reference/workflow.md#who-a-run-acts-as).
import { randomUUID } from 'node:crypto';
import type { Acting, StandingRights } from '../../platform/acting.ts';
import type { Caller, Role } from '../../platform/identity.ts';
import type { PreparedOperation } from '../../platform/component.ts';
import { executeWith } from '../../subgraphs/workflow/execute-with.ts';
import type { Execute, ExecuteAs } from '../../subgraphs/workflow/deps.ts';

/**
 * @param ask a trusted document over the whole platform's schema; called when it runs, when the supergraph is
 * there
 */
export const actAsWorkflow =
  (ask: (document: string) => PreparedOperation, standing: StandingRights): ExecuteAs =>
  (acting: Acting) =>
    executeWith(ask, async (signal) => ({
      actor: 'service:workflow',
      ...(await standing(acting)),
      ...(acting.credential === null ? {} : { credential: acting.credential }),
      requestId: randomUUID(),
      ...(signal === undefined ? {} : { signal }),
    }));

/**
 * The platform's own questions.
 * @param role `service`; another one for what only the platform itself may do on its behalf
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

/** The same for somebody who asked the workflow something, with no more than their own rights. */
export const askAsCaller = (ask: (document: string) => PreparedOperation, caller: Caller): Execute =>
  executeWith(ask, () => caller);
