// Who may pause a trigger: administrators, and the leads of its project (docs/reference/workflow.md#pausing).
import { DomainError } from '../../../platform/errors.ts';
import { type Identity, isMember } from '../../../platform/identity.ts';
import { allows } from '../../../platform/permissions.ts';
import type { ConfiguredTrigger } from './trigger-definition.ts';

type Pausable = Pick<ConfiguredTrigger, 'type'> & { readonly project?: string | undefined };

/** A trigger without a project acts in all: pausing it requires an administrator of all projects. */
const isEntitled = ({ project }: Pausable, caller: Identity): boolean =>
  project === undefined
    ? caller.projects === '*' && allows(caller, 'triggers:pause')
    : isMember(caller, project) && allows(caller, 'triggers:pause:own');

/** A manual trigger fires only on request, which a pause does not prevent. */
export const mayPause = (trigger: Pausable, caller: Identity): boolean =>
  trigger.type !== 'manual' && isEntitled(trigger, caller);

/** @throws DomainError `insufficient_role`, `conflict` for a manual trigger */
export function assertMayPause(trigger: Pausable, caller: Identity): void {
  const { type, project } = trigger;
  const operation = 'pause and resume a trigger';
  if (!isEntitled(trigger, caller))
    throw project === undefined
      ? new DomainError(
          'insufficient_role',
          `role admin is required to ${operation} that belongs to no project`,
          { required_role: 'admin', operation },
        )
      : new DomainError(
          'insufficient_role',
          `role project_lead in project ${project} is required to ${operation} of that project`,
          { required_role: 'project_lead', operation },
        );
  if (type === 'manual')
    throw new DomainError('conflict', 'a manual trigger fires only on request: it cannot be paused');
}
