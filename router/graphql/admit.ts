// Decides whether an operation may run: document, method, introspection, roles, projects; before any
// component is called.
import { overLimit } from '../../platform/budget/over-limit.ts';
import { badRequest, DomainError } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import { assertAllowed, assertAllProjects, assertMember } from '../../platform/permissions.ts';
import { InvalidDocument } from '../execution/invalid-document.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import { operationAdmitted, operationTooCostly } from '../edge/metrics/operation-metrics.ts';
import type { GraphqlRequest } from './read-request.ts';

/** The caller of an operation, over any transport; a request context is one. */
export interface OperationCaller {
  readonly req: { readonly method?: string | undefined };
  readonly caller: Caller;
  operationName?: string;
}

/**
 * The operation to run. Records its name in the request's context, for the audit record.
 * @throws InvalidDocument; DomainError `component_unavailable`, `invalid_request`, `method_not_allowed`,
 * `insufficient_role`, `project_scope_denied`
 */
export async function admit(
  supergraph: Supergraph,
  introspection: boolean,
  mostCost: number,
  { query, operationName, variables }: GraphqlRequest,
  ctx: OperationCaller,
): Promise<RouterOperation> {
  const check = (cost: RouterOperation['cost']): void => {
    const asked = cost(variables);
    if (asked > mostCost) operationTooCostly();
    if (asked > mostCost) throw overLimit('cost', asked, mostCost);
  };
  const { extended } = supergraph;
  const { extension } = extended;
  const version = extension?.version;
  let operation: RouterOperation;
  try {
    operation = await supergraph.prepareInTurns(query, ctx.caller, operationName, check);
  } catch (fault) {
    if (!(fault instanceof InvalidDocument) || !(await extended.catchUp(query, extension, version)))
      throw fault;
    operation = await supergraph.prepareInTurns(query, ctx.caller, operationName, check);
  }
  if (operation.name !== undefined) ctx.operationName = operation.name;
  if (operation.kind !== 'query' && ctx.req.method !== 'POST')
    throw new DomainError('method_not_allowed', 'only queries may be sent by GET');
  if (operation.introspects && !introspection) throw badRequest('introspection is disabled');
  const { caller } = ctx;
  for (const permission of operation.permissions) assertAllowed(caller, permission);
  if (operation.permissions.includes('links:read')) assertAllProjects(caller, 'what a component links');
  if (caller.projects !== '*')
    for (const project of operation.namedProjects(variables)) assertMember(caller, project);
  check(operation.cost); // an operation from the cache
  operationAdmitted(operation.name, operation.cost(variables));
  return operation;
}
