// docs/reference/gateway.md#role-table, row by row.
import { expect, test } from 'vitest';
import { ROLES, type Role } from '../../platform/identity.ts';
import { allows, mayGrant, type Permission, PERMISSIONS } from '../../platform/permissions.ts';

const as = (...roles: Role[]): { actor: string; roles: Role[]; projects: '*' } => ({
  actor: 'user:x',
  roles,
  projects: '*',
});

/** Lowest role of the order, and whether `service` has it too. */
const CONTRACT: Readonly<
  Record<string, readonly [minimum: Role, service: boolean, permissions: readonly Permission[]]>
> = {
  'read entities, relationships, external ids, schemas, search; read triggers, runs, rules; artifact resolve':
    ['viewer', true, ['metadata:read', 'workflow:read', 'artifact:read']],
  'read provenance': ['viewer', true, ['provenance:read']],
  'ingest, update, relate, unrelate, external ids': ['analyst', true, ['metadata:write']],
  'delete, availability, supersede entity': ['project_lead', true, ['metadata:retire']],
  'create or change a schema': ['admin', false, ['schema:write']],
  'run a trigger, submit a run, produce an artifact': ['analyst', true, ['workflow:run', 'artifact:produce']],
  "register or deprecate one's own rule": ['viewer', true, ['rule:write:own']],
  'register or deprecate a global rule': ['analyst', true, ['rule:write:global']],
  'evict from the artifact cache': ['admin', false, ['artifact:evict']],
  'own API keys': ['analyst', false, ['api-keys:own']],
  "others' API keys and sign-ins, sync endpoints": [
    'admin',
    false,
    ['api-keys:all', 'sign-ins:all', 'sync:manage'],
  ],
  'audit records, backups, configuration in force': [
    'admin',
    false,
    ['audit:read', 'backups:read', 'configuration:read'],
  ],
};
const ORDER: readonly Role[] = ['viewer', 'analyst', 'project_lead', 'admin'];

test.each(Object.entries(CONTRACT))('%s', (_, [minimum, service, permissions]) => {
  for (const permission of permissions) {
    for (const role of ROLES) {
      const expected = role === 'service' ? service : ORDER.indexOf(role) >= ORDER.indexOf(minimum);
      expect([permission, role, allows(as(role), permission)]).toEqual([permission, role, expected]);
    }
  }
});

test('an actor with several roles has the union, one with none has nothing', () => {
  for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
    // The table's keys are the permissions.
    for (const role of ROLES)
      expect(allows(as('service', role), permission)).toBe(
        allows(as('service'), permission) || allows(as(role), permission),
      );
    expect(allows(as(), permission)).toBe(false);
  }
});

test('a role can be granted by those who have it or a higher one, service by admins alone', () => {
  const given = (own: Role): Role[] => ROLES.filter((role) => mayGrant(as(own), role));
  expect(Object.fromEntries(ROLES.map((own) => [own, given(own)]))).toEqual({
    viewer: ['viewer'],
    analyst: ['viewer', 'analyst'],
    project_lead: ['viewer', 'analyst', 'project_lead'],
    admin: ['viewer', 'analyst', 'project_lead', 'admin', 'service'],
    service: [],
  });
});
