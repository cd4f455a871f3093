// Determines the rights of deferred work: at most the rights that its requester had at the request and still
// has.
import { DomainError } from './errors.ts';
import type { Identity, Projects, Role } from './identity.ts';

export interface Acting {
  readonly roles: readonly Role[];
  readonly projects: Projects;
  /**
   * The gateway's identifier of the requester's credential; null where the platform acts by its own
   * configuration.
   */
  readonly credential: string | null;
}

/** The identity that requests the work. */
export interface Asking extends Pick<Identity, 'roles' | 'projects'> {
  readonly credential?: string | null;
}

/** Returns the rights of configured work, which acts as the platform itself and not on behalf of a user. */
export const asConfigured = (projects: Projects): Acting => ({
  roles: ['service'],
  projects,
  credential: null,
});

/** Returns the projects that are in both. */
export function inBoth(one: Projects, other: Projects): Projects {
  if (one === '*') return other;
  return other === '*' ? one : one.filter((name) => other.includes(name));
}

/** Returns the identity's rights, limited to the given projects. */
export const actingFor = ({ roles, projects, credential }: Asking, within: Projects): Acting => ({
  roles,
  projects: inBoth(within, projects),
  credential: credential ?? null,
});

/**
 * Returns the rights that remain of those at the time of the request.
 * @throws DomainError `revoked_token` where the credential has ended
 */
export type StandingRights = (acting: Acting) => Promise<Pick<Acting, 'roles' | 'projects'>>;

export const ended = (): DomainError =>
  new DomainError('revoked_token', 'the credential of the request has ended, or now has fewer rights');

/**
 * The header in which the workflow names the rights it acts with, where it sends requests over HTTP. It only
 * reduces rights.
 */
export const ACTING_HEADER = 'x-cairn-acting';

/** @param cause of the request: see {@link Identity.cause} */
export const actingText = (acting: Acting, cause?: string): string =>
  Buffer.from(JSON.stringify({ ...acting, cause })).toString('base64url');
