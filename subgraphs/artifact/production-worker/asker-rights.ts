// Checks that a production has at most its requester's current rights
// (docs/reference/artifact.md#who-a-production-acts-as).
import { randomUUID } from 'node:crypto';
import { nodeKey } from '../../../platform/causal-links.ts';
import { inBoth, type StandingRights } from '../../../platform/acting.ts';
import { DomainError } from '../../../platform/errors.ts';
import { type Caller, type Identity, isRole, ROLES, visibilityKey } from '../../../platform/identity.ts';
import { allows } from '../../../platform/permissions.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { adoptProduction, listAskers } from '../productions/production-askers.store.ts';
import type { RequesterJson } from '../productions/production-queue.store.ts';
import { ProductionFailed, RightsChangedError } from './production-failed.ts';

/** The remaining rights of a production's requester; null if they do not suffice to produce. */
async function rightsLeft(caller: RequesterJson, standing: StandingRights): Promise<RequesterJson | null> {
  const { actor, roles, projects, credential = null } = caller;
  if (credential === null) return caller; // the platform's own rights, or no authentication
  try {
    // all rights of the credential, whichever role the request used
    const left = await standing({ roles: ROLES, projects, credential });
    const may =
      allows({ actor, ...left }, 'artifact:produce') && allows(asIdentity(caller), 'artifact:produce');
    return may ? { ...caller, roles, projects: inBoth(projects, left.projects) } : null;
  } catch (fault) {
    if (fault instanceof DomainError && fault.code === 'revoked_token') return null;
    throw fault;
  }
}

const asIdentity = ({ actor, roles, projects }: RequesterJson): Identity => ({
  actor,
  roles: roles.filter(isRole),
  projects,
});

const credentialOf = ({ credential }: RequesterJson): Pick<RequesterJson, 'credential'> =>
  credential === undefined ? {} : { credential };

/** Whether it has the same requester with the same projects. */
const isSame = (one: RequesterJson, other: RequesterJson): boolean =>
  one.actor === other.actor && visibilityKey(asIdentity(one)) === visibilityKey(asIdentity(other));

/**
 * The requester of a production: the first one or, if their right has ended, another who waits for it. Null
 * if no requester has the right.
 */
async function requesterNow(
  db: Queryable,
  standing: StandingRights,
  { id, caller }: { readonly id: string; readonly caller: RequesterJson },
): Promise<RequesterJson | null> {
  const left = await rightsLeft(caller, standing);
  if (left !== null) return left;
  for (const asker of await listAskers(db, id)) {
    const own = await rightsLeft(asker, standing);
    if (own === null) continue;
    await adoptProduction(db, id, asker);
    return own;
  }
  return null;
}

const rightsLost = (): ProductionFailed =>
  new ProductionFailed('rights_lost', 'the credential of the request has ended, or now has fewer rights');

/** Checked when the work begins, while it runs, and before anything is written. */
export class AskerRights {
  readonly #db: Queryable;
  readonly #standing: StandingRights;
  readonly #id: string;
  #caller: RequesterJson;
  #hasBegun = false;

  constructor(
    db: Queryable,
    standing: StandingRights,
    { id, caller }: { readonly id: string; readonly caller: RequesterJson },
  ) {
    this.#db = db;
    this.#standing = standing;
    this.#id = id;
    this.#caller = caller;
  }

  /**
   * The current requester.
   * @throws ProductionFailed `rights_lost` if no requester has the right
   */
  async begin(): Promise<Caller> {
    const now = await this.#now();
    if (now === null) throw rightsLost();
    this.#caller = now;
    this.#hasBegun = true;
    return {
      ...asIdentity(this.#caller),
      ...credentialOf(this.#caller),
      requestId: randomUUID(),
      cause: nodeKey('production', this.#id),
    };
  }

  /** Why work stops: no requester has the right any more, or the rights are reduced; null otherwise. */
  async fault(): Promise<Error | null> {
    if (!this.#hasBegun) return null;
    const now = await this.#now();
    if (now === null) return rightsLost();
    return isSame(now, this.#caller) ? null : new RightsChangedError('the requester now has fewer rights');
  }

  #now(): Promise<RequesterJson | null> {
    return requesterNow(this.#db, this.#standing, { id: this.#id, caller: this.#caller });
  }
}
