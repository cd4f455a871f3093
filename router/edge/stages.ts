// The way of every request, to be held against spec 1 «What the service does» 2 and contract 1.1 (1).
import { answerCors } from './answer-cors.ts';
import { authenticate } from './authenticate.ts';
import { checkHost } from './check-host.ts';
import { checkProject } from './check-project.ts';
import { checkRequest } from './check-request.ts';
import { checkRole } from './check-role.ts';
import { findRoute, forward } from './forward.ts';
import { limitRate } from './limit-rate.ts';
import type { Stage } from './stage.ts';

/**
 * Before all: a request id and the answer's headers (create-edge.ts). After all, whatever happened: the audit record and
 * the metrics (record-audit.ts).
 */
export const STAGES: readonly Stage[] = [
  checkRequest, //  contract 1.1 (2)        ambiguous requests are 400 before anything else looks at them
  checkHost, //     contract 6              421, where the name alone would have a page of another site be one of ours
  answerCors, //    spec 1 (8)              a preflight carries no credential, so it is answered here
  findRoute, //                             only looks: what the path leads to says what the next stages ask
  limitRate, //     1  rate limit           429
  authenticate, //  2  authentication       401
  checkRole, //     3  role check           403 insufficient_role
  checkProject, //  3  project scope        403 project_scope_denied
  forward, //       4, 5  routing, header injection, forwarding
];
