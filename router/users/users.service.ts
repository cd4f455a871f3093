// Local accounts: their names, passwords and rights (docs/reference/gateway.md#local-accounts).
import { randomUUID } from 'node:crypto';
import { badRequest, DomainError, notFound } from '../../platform/errors.ts';
import { isRole, type Projects, type Role, ROLES } from '../../platform/identity.ts';
import { mayGrant } from '../../platform/permissions.ts';
import { assertVisible } from '../../platform/visible-text.ts';
import { hashPassword } from './password.ts';
import type { User, UserStore } from './users.store.ts';

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;
const MIN_PASSWORD_LENGTH = 8;
const MAX_PASSWORD_LENGTH = 1000;

export interface NewUser {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly string[];
  readonly projects: Projects;
}

export type Rights = Pick<NewUser, 'roles' | 'projects'>;

export interface Users {
  /** @throws DomainError `invalid_request`, `conflict` if the name is taken */
  add(user: NewUser): Promise<User>;
  list(): Promise<readonly User[]>;
  /**
   * Disables the account with its sessions, tokens and API keys; idempotent.
   * @throws DomainError `not_found`
   */
  disable(name: string): Promise<User>;
  /**
   * Lets a disabled account sign in again; its former credentials stay ended.
   * @throws DomainError `not_found`, `conflict` if it is not disabled
   */
  enable(name: string): Promise<User>;
  /**
   * Sets roles and projects, each if given. The account's sessions and tokens end, and so do API keys with
   * more rights than it now has.
   * @throws DomainError `invalid_request`, `not_found`
   */
  changeRights(name: string, rights: Partial<Rights>): Promise<User>;
  /** Sessions and tokens of the old password end. @throws DomainError `invalid_request`, `not_found` */
  changePassword(name: string, password: string): Promise<void>;
}

/** Names are normalised for storage and look-up. */
export const accountName = (typed: string): string => typed.trim().normalize('NFC');

export const couldBePassword = (password: string): boolean =>
  password.length > 0 && password.length <= MAX_PASSWORD_LENGTH;

function assertName(name: string): void {
  if (!NAME.test(name))
    throw badRequest(
      'a user name must be 1 to 100 letters, digits and . _ @ + - and begin with a letter or digit',
      { field: 'name' },
    );
}

function assertPassword(password: string): void {
  if ([...password].length < MIN_PASSWORD_LENGTH)
    throw badRequest(`a password must have at least ${MIN_PASSWORD_LENGTH} characters`, {
      field: 'password',
    });
  if (!couldBePassword(password))
    throw badRequest(`a password must have at most ${MAX_PASSWORD_LENGTH} characters`, { field: 'password' });
}

function rolesOf(names: readonly string[]): readonly Role[] {
  const roles = [...new Set(names)].filter(isRole);
  const offered = ROLES.filter((role) => role !== 'service');
  if (names.length === 0 || !names.every(isRole) || roles.includes('service'))
    throw badRequest(`roles must be among ${offered.join(', ')}`, { field: 'roles' });
  return roles;
}

/** Roles of keys that an account with these roles may not hold. */
const beyond = (roles: readonly Role[]): readonly Role[] =>
  ROLES.filter((role) => !mayGrant({ actor: 'user', roles, projects: [] }, role));

const assertProjects = (projects: Projects): void => {
  if (projects !== '*') for (const project of projects) assertVisible('project', project);
};

/** `spread` resolves when every process has acknowledged the announcement with that id. */
export const createUsers = (
  store: UserStore,
  spread: (notice: string) => Promise<void> = async () => undefined,
): Users => ({
  async add({ name: typed, password, roles, projects }) {
    const name = accountName(typed);
    assertName(name);
    assertPassword(password);
    const held = rolesOf(roles);
    assertProjects(projects);
    const notice = randomUUID();
    const user = await store.insert({ name, notice, roles: held, projects }, await hashPassword(password));
    if (user === undefined) throw new DomainError('conflict', `the user ${name} already exists`, { name });
    await spread(notice);
    return user;
  },
  list: () => store.list(),
  async disable(typed) {
    const name = accountName(typed);
    assertName(name);
    const notice = randomUUID();
    const user = await store.disable({ name, notice });
    if (user === undefined) throw notFound('user', name);
    await spread(notice);
    return user;
  },
  async enable(typed) {
    const name = accountName(typed);
    assertName(name);
    const notice = randomUUID();
    const user = await store.enable({ name, notice });
    if (user !== undefined) {
      await spread(notice);
      return user;
    }
    if ((await store.find(name)) === undefined) throw notFound('user', name);
    throw new DomainError('conflict', `the user ${name} is not disabled`, { name });
  },
  async changeRights(typed, { roles, projects }) {
    const name = accountName(typed);
    assertName(name);
    const before = await store.find(name);
    if (before === undefined) throw notFound('user', name);
    const held = roles === undefined ? before.roles : rolesOf(roles);
    const within = held.includes('admin') ? '*' : (projects ?? before.projects);
    assertProjects(within);
    const notice = randomUUID();
    const user = await store.changeRights({
      name,
      notice,
      roles: held,
      projects: within,
      lost: beyond(held),
    });
    if (user === undefined) throw notFound('user', name);
    await spread(notice);
    return user;
  },
  async changePassword(typed, password) {
    const name = accountName(typed);
    assertName(name);
    assertPassword(password);
    const notice = randomUUID();
    if (!(await store.changePassword({ name, notice }, await hashPassword(password))))
      throw notFound('user', name);
    await spread(notice);
  },
});
