// What is left of the rights that a run was submitted with: asked of the store whenever it acts.
import { ended, inBoth, type StandingRights } from '../../platform/acting.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { findStandingById, hasAdminKey } from '../api-keys/api-keys.store.ts';
import { readCredential } from '../acting/credential.ts';
import { tokenStands } from './standing.store.ts';

/**
 * A token gives what it gave until it ends: an account that is given less ends it. A key gives what its owner
 * has now.
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
    const key = await findStandingById(db, name.id);
    if (key === undefined || key.revoked || key.expiresAt <= now()) throw ended();
    return { roles: roles.filter((role) => role === key.role), projects: inBoth(projects, key.projects) };
  };
}

/**
 * The same for a component in a process of its own. Where its database is not the gateway's, which has had an
 * administrator's key since its first start, nothing tells of credentials: rights stand as they were given.
 */
export function standingWhereKnown(db: Queryable): StandingRights {
  const standing = standingRights(db);
  let isKnown = false;
  return async (acting) => {
    isKnown ||= await hasAdminKey(db);
    return isKnown ? standing(acting) : { roles: acting.roles, projects: acting.projects };
  };
}
