// Stage 3, second half: a project that the request names must be one of the caller's
// (docs/reference/gateway.md#projects). `assertMember` of platform/permissions checks the third way to name
// one, `data.project` of a body, where bodies are read.
import { assertMember } from '../../../platform/permissions.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

/** `project`, also with percent-encoded letters. */
const MAY_NAME_PROJECT = /(?:^|&)(?:p|%70)/i;

/** @throws DomainError `project_scope_denied` */
export function checkProject({ match, caller, req, search }: EdgeRequestContext): void {
  if (caller.projects === '*' || match === undefined || match.access === 'public') return;
  const header = req.headers['x-project'];
  if (typeof header === 'string') assertMember(caller, header);
  if (MAY_NAME_PROJECT.test(search))
    for (const project of new URLSearchParams(search).getAll('project')) assertMember(caller, project);
}
