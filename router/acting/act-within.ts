// Reduced rights of a service that acts for others: the workflow, where it sends requests over HTTP
// (docs/decisions/0060).
import { type Acting, ACTING_HEADER, inBoth, type StandingRights } from '../../platform/acting.ts';
import { isActingCause } from '../../platform/causal-links.ts';
import { badRequest, DomainError } from '../../platform/errors.ts';
import { type Identity, isRole } from '../../platform/identity.ts';
import { allows } from '../../platform/permissions.ts';

const texts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** @throws DomainError `invalid_request` */
function read(header: string): Acting & Pick<Identity, 'cause'> {
  let sent: unknown;
  try {
    sent = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  } catch (cause) {
    throw new DomainError(
      'invalid_request',
      `${ACTING_HEADER} must be base64url-encoded JSON`,
      {},
      { cause },
    );
  }
  const { roles, projects, credential, cause } = (
    typeof sent === 'object' && sent !== null ? sent : {}
  ) as Record<string, unknown>; // An object has members.
  if (
    !texts(roles) ||
    !roles.every(isRole) ||
    (projects !== '*' && !texts(projects)) ||
    (credential !== null && typeof credential !== 'string') ||
    (cause !== undefined && !isActingCause(cause))
  ) {
    throw badRequest(`${ACTING_HEADER} must contain roles, projects and credential`);
  }
  return { roles, projects, credential, ...(cause === undefined ? {} : { cause }) };
}

/** Who may say what a request is made on behalf of: what it writes is recorded as that work for ever. */
function assertMayNameCause({ actor, client }: Identity, workflowClient: string | undefined): void {
  if (actor.startsWith('service:') && client !== undefined && client === workflowClient) return;
  throw new DomainError(
    'insufficient_role',
    `only the client of workflow.router may name a cause in ${ACTING_HEADER}`,
    { required_role: 'service', operation: 'name the cause of a request' },
  );
}

export interface ActingRules {
  readonly standing: StandingRights;
  /** The client as which a workflow in its own process asks; undefined where there is none. */
  readonly workflowClient?: string | undefined;
}

/**
 * Returns the service's identity limited to the projects in the header, and without rights if those for whom
 * it acts could not have run anything. Rights are never added: a forged header only reduces those of its
 * sender.
 * @throws DomainError `insufficient_role` for callers other than services, and for a cause that is not named by the
 * workflow; `revoked_token`, `invalid_request`
 */
export async function actWithin(
  identity: Identity,
  header: string,
  { standing, workflowClient }: ActingRules,
): Promise<Identity> {
  if (!identity.roles.includes('service'))
    throw new DomainError('insufficient_role', `role service is required to send ${ACTING_HEADER}`, {
      required_role: 'service',
      operation: 'act with the rights of others',
    });
  const acting = read(header);
  if (acting.cause !== undefined) assertMayNameCause(identity, workflowClient);
  const { roles, projects } = await standing(acting);
  const may = allows({ ...identity, roles }, 'workflow:run');
  return {
    ...identity,
    roles: may ? ['service'] : [],
    projects: inBoth(identity.projects, projects),
    // work that is requested on their behalf is checked against their rights again
    ...(acting.credential === null ? {} : { credential: acting.credential }),
    ...(acting.cause === undefined ? {} : { cause: acting.cause }),
  };
}
