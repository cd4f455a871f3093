// How the workflow engine asks the supergraph: through the router, as `service:workflow` (contract 3).
import { randomUUID } from 'node:crypto';
import { DomainError, errorCodeOf } from '../../platform/errors.ts';
import type { Role } from '../../platform/identity.ts';
import type { PreparedOperation } from '../../platform/component.ts';
import type { Execute } from '../../subgraphs/workflow/ports.ts';

/**
 * @param ask a trusted document over the whole platform's schema; called when it runs, when the supergraph is there
 * @param role `service`; another one for what only the platform itself may do on its behalf
 */
export function askAsWorkflow(ask: (document: string) => PreparedOperation, role: Role = 'service'): Execute {
  return async (document, variables, signal) => {
    const caller = { actor: 'service:workflow', roles: [role], projects: '*', requestId: randomUUID(), ...(signal === undefined ? {} : { signal }) } as const;
    const { data, texts, errors } = await ask(document)(variables, caller);
    const error = errors?.[0];
    if (error) throw new DomainError(errorCodeOf(error.extensions?.['code']) ?? 'internal_error', error.message);
    const parsed = Object.entries(texts ?? {}).map(([key, text]): [string, unknown] => [key, JSON.parse(text)]);
    return { ...data, ...Object.fromEntries(parsed) };
  };
}
