// The workflow's dependencies on the rest of the platform, provided by the composition root.
import type { Acting } from '../../platform/acting.ts';
import { isObject } from '../../platform/json-object.ts';

/** Of an error of an answer. */
export const detailsOf = (told: unknown): Readonly<Record<string, unknown>> => (isObject(told) ? told : {});

/**
 * Runs one GraphQL document through the router as `service:workflow`
 * (docs/reference/workflow.md#who-a-run-acts-as) and returns its data by root field.
 * @throws DomainError with the code of the first error; `component_unavailable`, `upstream_timeout` and
 * `internal_error` mean that the component, not the request, is at fault
 */
export type Execute = (
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<Record<string, unknown>>;

/**
 * The same, as `service:workflow` limited to these rights, as far as they remain; `revoked_token` if none do.
 * @param cause the run on whose behalf it is, which is stored with what it does
 */
export type ExecuteAs = (acting: Acting, cause?: string) => Execute;
