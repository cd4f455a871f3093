// Calls the metadata component at its configured URL with the caller's own identity, where a subgraph runs on
// its own.
import { limitsHeader } from './budget/limits-header.ts';
import type { ComponentResult, PreparedOperation } from './component.ts';
import { DomainError } from './errors.ts';
import { identityHeaders } from './identity.ts';
import type { SignIdentity } from './signed-identity/identity-signer.ts';

const isResult = (value: unknown): value is ComponentResult =>
  typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);

const unavailable = (status: number | null): ComponentResult => {
  const { message, extensions } = new DomainError('component_unavailable', 'metadata cannot be reached', {
    component: 'metadata',
    upstream_status: status,
  });
  return { data: null, errors: [{ message, extensions }] };
};

/**
 * @param url base URL of the metadata component
 * @param timeoutMs timeout of a response in milliseconds
 */
export function askComponent(
  url: string,
  timeoutMs: number,
  sign: SignIdentity,
): (document: string) => PreparedOperation {
  return (document) => async (variables, caller) => {
    let status: number | null = null;
    try {
      const timeout = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        redirect: 'error',
        body: JSON.stringify({ query: document, variables }),
        headers: {
          ...identityHeaders(caller, await sign(caller, 'metadata')),
          ...limitsHeader(caller.budget?.remaining),
          'content-type': 'application/json',
          accept: 'application/json',
        },
        signal: caller.signal === undefined ? timeout : AbortSignal.any([caller.signal, timeout]),
      });
      status = response.status;
      const value: unknown = await response.json();
      return isResult(value) ? value : unavailable(status);
    } catch {
      return unavailable(status); // no response, or no GraphQL response: reported as unavailable
    }
  };
}
