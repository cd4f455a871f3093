// What only administrators and the leads of a trigger's project may do: pause it
// (docs/reference/workflow.md#pausing), and read the bodies that its webhook got and what resulted from them
// (docs/reference/workflow.md#access-to-deliveries).
import { DomainError } from '../../../platform/errors.ts';
import { type Identity, isMember } from '../../../platform/identity.ts';
import { allows } from '../../../platform/permissions.ts';
import type { ConfiguredTrigger } from './trigger-definition.ts';

type Right = 'triggers:pause' | 'deliveries:inspect';
interface Restricted {
  readonly project?: string | undefined;
}
type Pausable = Pick<ConfiguredTrigger, 'type'> & Restricted;

/** A trigger without a project may concern any: it requires an administrator of all projects. */
const hasRight = ({ project }: Restricted, right: Right, caller: Identity): boolean =>
  project === undefined
    ? caller.projects === '*' && allows(caller, right)
    : isMember(caller, project) && allows(caller, `${right}:own`);

function assertRight(trigger: Restricted, right: Right, caller: Identity, operation: string): void {
  if (hasRight(trigger, right, caller)) return;
  const { project } = trigger;
  const role = project === undefined ? 'admin' : 'project_lead';
  throw new DomainError(
    'insufficient_role',
    project === undefined
      ? `role admin is required to ${operation} that belongs to no project`
      : `role project_lead in project ${project} is required to ${operation} of that project`,
    { required_role: role, operation },
  );
}

/** A manual trigger fires only on request, which a pause does not prevent. */
export const mayPause = (trigger: Pausable, caller: Identity): boolean =>
  trigger.type !== 'manual' && hasRight(trigger, 'triggers:pause', caller);

/** @throws DomainError `insufficient_role`, `conflict` for a manual trigger */
export function assertMayPause(trigger: Pausable, caller: Identity): void {
  assertRight(trigger, 'triggers:pause', caller, 'pause and resume a trigger');
  if (trigger.type === 'manual')
    throw new DomainError('conflict', 'a manual trigger fires only on request: it cannot be paused');
}

export const mayInspect = (trigger: Restricted, caller: Identity): boolean =>
  hasRight(trigger, 'deliveries:inspect', caller);

/** @throws DomainError `insufficient_role` */
export const assertMayInspect = (trigger: Restricted, caller: Identity): void =>
  assertRight(trigger, 'deliveries:inspect', caller, 'read deliveries to a webhook');
