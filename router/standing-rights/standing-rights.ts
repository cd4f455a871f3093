// Computes the remaining rights of a run's submitter from the store, whenever the run acts.
import { ended, inBoth, type StandingRights } from '../../platform/acting.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { findStandingById, hasAdminKey } from '../api-keys/api-keys.store.ts';
import { readCredential } from '../acting/credential.ts';
import { accountStands, tokenStands } from './standing.store.ts';

/**
 * A token keeps its rights until it ends: reducing an account's rights ends it. A local account and a key have their current
 * rights.
 */
export function standingRights(db: Queryable, now: () => number = Date.now): StandingRights {
  return async ({ roles, projects, credential }) => {
    if (credential === null) return { roles, projects };
    const name = readCredential(credential);
    if (name === undefined) throw ended();
    if (name.kind === 'token') {
      if (!(await tokenStands(db, name.family, name.jti))) throw ended();
      return { roles, projects };
    }
    // an issuer elsewhere is asked about tokens only, so that what was begun keeps its rights
    if (name.kind === 'issuer') return { roles, projects };
    if (name.kind === 'account') {
      const account = await accountStands(db, name.name);
      if (account === undefined) throw ended();
      return {
        roles: roles.filter((role) => account.roles.includes(role)),
        projects: inBoth(projects, account.projects),
      };
    }
    const key = await findStandingById(db, name.id);
    if (key === undefined || key.revoked || key.expiresAt <= now()) throw ended();
    return { roles: roles.filter((role) => role === key.role), projects: inBoth(projects, key.projects) };
  };
}

/**
 * The same for a component in its own process. If its database is not the gateway's, which contains an
 * administrator's key from its first start on, credentials cannot be checked: the rights stay as they were
 * given.
 */
export function standingWhereKnown(db: Queryable): StandingRights {
  const standing = standingRights(db);
  let isKnown = false;
  return async (acting) => {
    isKnown ||= await hasAdminKey(db);
    return isKnown ? standing(acting) : { roles: acting.roles, projects: acting.projects };
  };
}
