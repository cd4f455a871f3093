// Whose rights something acts with that was asked for earlier: at most those of who asked, when it was asked and now.
import { DomainError } from './errors.ts';
import type { Identity, Projects, Role } from './identity.ts';

export interface Acting {
  readonly roles: readonly Role[];
  readonly projects: Projects;
  /** By which credential it was asked for, as the gateway names it; null where the platform acts by its own configuration. */
  readonly credential: string | null;
}

/** Whose doing it is. */
export interface Asking extends Pick<Identity, 'roles' | 'projects'> {
  readonly credential?: string | null;
}

/** What acts as configured, with nobody's rights but the platform's own. */
export const asConfigured = (projects: Projects): Acting => ({
  roles: ['service'],
  projects,
  credential: null,
});

/** Projects that are in both. */
export const inBoth = (one: Projects, other: Projects): Projects =>
  one === '*' ? other : other === '*' ? one : one.filter((name) => other.includes(name));

/** No more projects than given, and no other rights than the identity's. */
export const actingFor = ({ roles, projects, credential }: Asking, within: Projects): Acting => ({
  roles,
  projects: inBoth(within, projects),
  credential: credential ?? null,
});

/** The rights that are left now of those that something was asked for with. @throws DomainError `revoked_token` where the credential has ended */
export type StandingRights = (acting: Acting) => Promise<Pick<Acting, 'roles' | 'projects'>>;

export const ended = (): DomainError =>
  new DomainError('revoked_token', 'the credential by which this was asked for has ended, or gives less now');

/** The header in which the workflow, where it asks over HTTP, says with whose rights it acts. It takes rights away, and gives none. */
export const ACTING_HEADER = 'x-cairn-acting';

export const actingText = (acting: Acting): string =>
  Buffer.from(JSON.stringify(acting)).toString('base64url');
