// The stages of every request, in the order of docs/reference/gateway.md#order-of-checks.
import { allowCors, answerPreflight } from './answer-cors.ts';
import { authenticate } from './authenticate.ts';
import { checkHost } from './check-host.ts';
import { checkProject } from './check-project.ts';
import { checkRequest } from './check-request.ts';
import { checkRole } from './check-role.ts';
import { findRoute, forward } from './forward.ts';
import { limitRate } from './limit-rate.ts';
import type { Stage } from './stage.ts';

/**
 * Before all: a request id and the answer's headers (create-edge.ts). After all, whatever happened: the audit
 * record and the metrics (record-audit.ts).
 */
export const STAGES: readonly Stage[] = [
  // docs/reference/gateway.md#cors refusals are for the page that asked, too
  allowCors,
  // docs/reference/gateway.md#canonical-paths ambiguous requests are 400 before anything else looks at them
  checkRequest,
  // docs/reference/gateway.md#allowed-hosts 421, where the name alone would have a page of another site be one
  // of ours
  checkHost,
  // docs/reference/gateway.md#cors a preflight carries no credential, so it is answered here
  answerPreflight,
  findRoute, //                             only looks: what the path leads to says what the next stages ask
  limitRate, //     1  rate limit           429
  authenticate, //  2  authentication       401
  checkRole, //     3  role check           403 insufficient_role
  checkProject, //  3  project scope        403 project_scope_denied
  forward, //       4, 5  routing, header injection, forwarding
];
