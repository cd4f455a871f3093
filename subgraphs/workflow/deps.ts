// What the workflow asks of the rest of the platform; the composition root gives it.
import type { Acting } from '../../platform/acting.ts';

/**
 * Runs one GraphQL document through the router as `service:workflow`
 * (docs/reference/workflow.md#who-a-run-acts-as) and answers its data by root field.
 * @throws DomainError with the code of the first error; `component_unavailable`, `upstream_timeout` and
 * `internal_error` say that the component, not the request, is at fault
 */
export type Execute = (
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<Record<string, unknown>>;

/**
 * The same, as `service:workflow` with no more rights than these, as far as they are left; `revoked_token`
 * where none are.
 */
export type ExecuteAs = (acting: Acting) => Execute;
