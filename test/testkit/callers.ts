// Identities for tests.
import { randomUUID } from 'node:crypto';
import type { Caller, Projects, Role } from '../../platform/identity.ts';

export const callerOf = (
  actor: string,
  roles: readonly Role[] = ['viewer'],
  projects: Projects = '*',
): Caller => ({ actor, roles, projects, requestId: randomUUID() });

export const viewer = callerOf('user:vera');
export const admin = callerOf('user:ada', ['admin']);
