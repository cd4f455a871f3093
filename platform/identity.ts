// Defines the caller's identity, which the edge establishes once and passes to every component.
import type { Budget } from './budget/budget.ts';
import { ClientGone, DomainError } from './errors.ts';
import { isOneOf } from './is-one-of.ts';

/**
 * Roles of docs/reference/gateway.md#roles. `service` is not part of the order of the other roles
 * (docs/reference/gateway.md#role-table).
 */
export const ROLES = ['viewer', 'analyst', 'project_lead', 'admin', 'service'] as const;
export type Role = (typeof ROLES)[number];
export const isRole = (name: unknown): name is Role => isOneOf(ROLES, name);

/** The projects of an actor: all of them, or a list (docs/reference/gateway.md#projects). */
export type Projects = '*' | readonly string[];

/**
 * The project of the platform's own entities, and of what only callers of all projects may know: it has no members, and no
 * entity can be assigned to it.
 */
export const PLATFORM_PROJECT = '(platform)';

export interface Identity {
  /**
   * The remaining budget of the current operation; absent where nothing is counted. It is not part of the
   * identity.
   */
  readonly budget?: Budget;
  /** `user:<name>`, `service:<name>` or `anonymous`. */
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
  /**
   * The gateway's identifier of the credential that proved this identity. Long-running work uses it to check
   * whether the credential is still valid.
   */
  readonly credential?: string;
  /** The client that an access token of this deployment was issued to; absent for other credentials. */
  readonly client?: string;
  /**
   * The run or production on whose behalf a service makes the request, as `run:<id>`; absent for what callers ask for
   * themselves. It grants nothing, and is stored with what the request does.
   */
  readonly cause?: string;
  /** Whether a component asks to decide by it: then no answer is older than the primary's. It grants nothing. */
  readonly isExact?: boolean;
}

/** Whether a service of the platform asks for itself: triggers, and what productions and staleness need. */
export const isPlatformService = ({ actor }: Pick<Identity, 'actor'>): boolean =>
  actor === 'service:workflow' || actor === 'service:artifact';

/** The identity and the id of one request. It is passed along from the edge to the stores. */
export interface Caller extends Identity {
  /** UUIDv4 of the request; equals `X-Request-Id` and `request_id`. */
  readonly requestId: string;
  /**
   * The instant as of which the whole operation reads, in UTC with microseconds; absent for the present
   * (docs/reference/api-conventions.md#one-instant-for-an-operation).
   */
  readonly asOf?: string;
  /** Whether the answer is to say what it is based on (docs/reference/api-conventions.md#basis). */
  readonly wantsBasis?: boolean;
  /** W3C trace context, passed on unchanged. */
  readonly traceparent?: string;
  /** Whether the actor is unverified: true in a component that runs alone without verification keys. */
  readonly isSelfNamed?: boolean;
  /** Aborted with {@link ClientGone}, and with another DomainError when its credential has ended. */
  readonly signal?: AbortSignal;
}

/** Why a request that lasts must not go on: its credential has ended, or means other rights. */
export function endOfCredential({ signal }: Caller): DomainError | undefined {
  const reason: unknown = signal?.reason;
  return reason instanceof DomainError && !(reason instanceof ClientGone) ? reason : undefined;
}

export const isMember = (identity: Identity, project: string): boolean =>
  identity.projects === '*' || identity.projects.includes(project);

/**
 * Returns the part of a cache or batching key that separates callers by their rights. Two identities with the
 * same key see the same data.
 */
export const visibilityKey = (identity: Identity): string =>
  identity.projects === '*' ? '*' : JSON.stringify([...identity.projects].sort());

/**
 * Encodes an actor as header text: printable ASCII is kept; other characters and the percent sign are
 * percent-encoded.
 */
const actorText = (actor: string): string =>
  /^[\x20-\x24\x26-\x7e]*$/.test(actor) ? actor : encodeURI(actor);

/** Escapes `*`, so that a project named `*` is not read as all projects. */
const projectText = (name: string): string => encodeURIComponent(name).replaceAll('*', '%2A');

/**
 * Returns the identity headers of docs/reference/gateway.md#identity-headers, which a component reads.
 * @param signed the same identity, signed for the receiving component
 */
export const identityHeaders = (caller: Caller, signed: string | undefined): Record<string, string> => ({
  ...(signed === undefined ? {} : { 'x-platform-identity': signed }),
  'x-platform-actor': actorText(caller.actor),
  'x-platform-roles': caller.roles.join(','),
  'x-platform-request-id': caller.requestId,
  'x-platform-projects': caller.projects === '*' ? '*' : caller.projects.map(projectText).join(','),
  ...(caller.cause === undefined ? {} : { 'x-platform-cause': caller.cause }),
  ...(caller.isExact === true ? { 'x-platform-exact': 'true' } : {}),
  ...(caller.asOf === undefined ? {} : { 'x-platform-as-of': caller.asOf }),
  ...(caller.traceparent === undefined ? {} : { traceparent: caller.traceparent }),
});
