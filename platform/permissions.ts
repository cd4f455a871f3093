// Defines which role each operation requires. REST, GraphQL and the subgraphs use this one table; an
// operation that is not in it is denied.
import { DomainError } from './errors.ts';
import { type Identity, isMember, type Role } from './identity.ts';

interface Grant {
  /** The lowest sufficient role in the order viewer < analyst < project_lead < admin. */
  readonly minimum: Exclude<Role, 'service'>;
  /** Whether an actor with the role `service` has the permission, independent of the order. */
  readonly service: boolean;
  /** Description of the operation for the message of `insufficient_role`. */
  readonly operation: string;
}

/** The rows of docs/reference/gateway.md#role-table. */
export const PERMISSIONS = {
  'metadata:read': { minimum: 'viewer', service: true, operation: 'read metadata' },
  'provenance:read': { minimum: 'viewer', service: true, operation: 'read provenance' },
  'metadata:write': { minimum: 'analyst', service: true, operation: 'write metadata' },
  'metadata:retire': {
    minimum: 'project_lead',
    service: true,
    operation: 'delete, supersede or change the availability of entities',
  },
  'metadata:move': { minimum: 'project_lead', service: true, operation: 'move an entity to another project' },
  'validation:bypass': { minimum: 'admin', service: true, operation: 'bypass validation' },
  'schema:write': { minimum: 'admin', service: false, operation: 'create or change a schema' },
  'reference-data:install': { minimum: 'admin', service: true, operation: 'install reference data' },
  'workflow:read': { minimum: 'viewer', service: true, operation: 'read triggers and runs' },
  'workflow:run': { minimum: 'analyst', service: true, operation: 'run a trigger or submit a run' },
  'deliveries:inspect': { minimum: 'admin', service: false, operation: 'read the deliveries of webhooks' },
  /** For the triggers of the actor's own projects. */
  'deliveries:inspect:own': {
    minimum: 'project_lead',
    service: false,
    operation: "read the deliveries of a webhook of one's project",
  },
  'triggers:pause': { minimum: 'admin', service: false, operation: 'pause and resume triggers' },
  /** For the triggers of the actor's own projects. */
  'triggers:pause:own': {
    minimum: 'project_lead',
    service: false,
    operation: "pause and resume a trigger of one's project",
  },
  'artifact:read': { minimum: 'viewer', service: true, operation: 'read rules and resolve artifacts' },
  'artifact:produce': { minimum: 'analyst', service: true, operation: 'produce an artifact' },
  'artifact:upload': { minimum: 'analyst', service: true, operation: 'upload and attach files' },
  'rule:write:own': {
    minimum: 'viewer',
    service: true,
    operation: "register or deprecate a rule of one's own",
  },
  'rule:write:global': {
    minimum: 'analyst',
    service: true,
    operation: 'register or deprecate a global rule',
  },
  'artifact:evict': { minimum: 'admin', service: false, operation: 'evict from the artifact cache' },
  'api-keys:own': { minimum: 'analyst', service: false, operation: "manage one's own API keys" },
  'api-keys:all': { minimum: 'admin', service: false, operation: "manage other users' API keys" },
  'tokens:manage': {
    minimum: 'admin',
    service: false,
    operation: "revoke others' tokens and rotate signing keys",
  },
  'sign-ins:all': { minimum: 'admin', service: false, operation: "read and end others' sign-ins" },
  'sync:manage': {
    minimum: 'admin',
    service: false,
    operation: 'read and resolve sync events and start scans',
  },
  'audit:read': { minimum: 'admin', service: false, operation: 'read audit records' },
  'backups:read': { minimum: 'admin', service: false, operation: 'read the records of backups' },
  'configuration:read': { minimum: 'admin', service: false, operation: 'read the configuration in force' },
  /**
   * What components tell each other of causal chains. Clients must be in all projects: links lead to nodes that need not
   * be visible (docs/reference/metadata.md#why).
   */
  'links:read': { minimum: 'viewer', service: true, operation: 'read the links of a component' },
  'metrics:read': { minimum: 'admin', service: false, operation: 'read metrics' },
  /** Any authenticated actor: the explorer, the current actor, pass-through components. */
  authenticated: { minimum: 'viewer', service: true, operation: 'use the platform' },
} as const satisfies Record<string, Grant>;

export type Permission = keyof typeof PERMISSIONS;

const RANK: Record<Role, number> = { service: 0, viewer: 1, analyst: 2, project_lead: 3, admin: 4 };

/**
 * Whether any of the identity's roles has the permission. An actor with several roles has the union of their
 * permissions.
 */
export function allows(identity: Identity, permission: Permission): boolean {
  const grant: Grant = PERMISSIONS[permission];
  return identity.roles.some((role) =>
    role === 'service' ? grant.service : RANK[role] >= RANK[grant.minimum],
  );
}

/**
 * @throws DomainError `insufficient_role`, naming the required role and the operation
 * (docs/reference/gateway.md#roles).
 */
export function assertAllowed(identity: Identity, permission: Permission): void {
  if (allows(identity, permission)) return;
  const { minimum, operation } = PERMISSIONS[permission];
  throw new DomainError('insufficient_role', `role ${minimum} is required to ${operation}`, {
    required_role: minimum,
    operation,
  });
}

/**
 * @throws DomainError `project_scope_denied` where the actor is not a member of the project that a request
 * names (docs/reference/gateway.md#projects).
 */
export function assertMember(identity: Identity, project: string): void {
  if (!isMember(identity, project))
    throw new DomainError('project_scope_denied', `${identity.actor} is not a member of project ${project}`, {
      project,
    });
}

/**
 * @throws DomainError `project_scope_denied` for a caller of some projects only
 * @param what what tells of all projects, as the subject of a sentence
 */
export function assertAllProjects({ projects }: Identity, what: string): void {
  if (projects !== '*')
    throw new DomainError(
      'project_scope_denied',
      `${what} concerns all projects: a credential that is restricted to one may not read it`,
    );
}

/**
 * Whether an actor may grant a role. Only admins grant `service`, and nobody grants a role above their own
 * (docs/reference/gateway.md#granting-roles).
 */
export const mayGrant = (identity: Identity, role: Role): boolean =>
  identity.roles.some(
    (own) => own === 'admin' || (own !== 'service' && role !== 'service' && RANK[role] <= RANK[own]),
  );

/**
 * @param operation what gives the role, for the message
 * @throws DomainError `insufficient_role`, naming the role that may grant it
 */
export function assertMayGrant(identity: Identity, role: Role, operation: string): void {
  if (mayGrant(identity, role)) return;
  const needed = role === 'service' ? 'admin' : role;
  throw new DomainError('insufficient_role', `role ${needed} is required to ${operation} with role ${role}`, {
    required_role: needed,
    operation,
  });
}
