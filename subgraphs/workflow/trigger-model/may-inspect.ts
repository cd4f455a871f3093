// Access to the bodies of webhooks and what results from them: administrators, and the leads of the trigger's
// project (docs/reference/workflow.md#access-to-deliveries).
import { DomainError } from '../../../platform/errors.ts';
import { type Identity, isMember } from '../../../platform/identity.ts';
import { allows } from '../../../platform/permissions.ts';
import type { ConfiguredTrigger } from './trigger-definition.ts';

type Inspected = Pick<ConfiguredTrigger, 'name' | 'project'>;

/** Bodies of a trigger without a project may concern any: they require an administrator of all projects. */
export const mayInspect = ({ project }: Inspected, caller: Identity): boolean =>
  project === undefined
    ? caller.projects === '*' && allows(caller, 'deliveries:inspect')
    : isMember(caller, project) && allows(caller, 'deliveries:inspect:own');

/** @throws DomainError `insufficient_role` */
export function assertMayInspect(trigger: Inspected, caller: Identity): void {
  if (mayInspect(trigger, caller)) return;
  const operation = 'read deliveries to a webhook';
  throw trigger.project === undefined
    ? new DomainError(
        'insufficient_role',
        `role admin is required to ${operation} that belongs to no project`,
        { required_role: 'admin', operation },
      )
    : new DomainError(
        'insufficient_role',
        `role project_lead in project ${trigger.project} is required to ${operation} of that project`,
        { required_role: 'project_lead', operation },
      );
}
