// docs/reference/gateway.md#order-of-checks: 401, then 403, then what is wrong with the request, at every endpoint.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../platform/identity.ts';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';

type Sent = NonNullable<Parameters<TestServer['rest']>[2]>;

let server: TestServer;
const keys = new Map<Role, string>();
beforeAll(async () => {
  server = await startServer();
  for (const role of ['viewer', 'analyst', 'project_lead', 'service'] as const)
    keys.set(role, await server.newKey({ role, ...(role === 'service' ? {} : { owner: `user:${role}` }) }));
});
afterAll(() => server[Symbol.asyncDispose]());

const FAULTS: Readonly<Record<string, Omit<Sent, 'key'>>> = {
  none: {},
  malformed: { body: '{' },
  'media type': { body: '<a/>', headers: { 'content-type': 'text/xml' } },
  encoding: { body: '{}', headers: { 'content-encoding': 'gzip' } },
  'no object': { body: [] },
  'unknown member': { body: { zzz: 1 } },
  'wrong types': {
    body: { label: 1, role: 2, name: 3, status: 4, note: 5, data: 6, entity_type: 7, criteria: 8, reason: 9 },
  },
};
/** What is told by the body: who may register a rule is decided by its scope. */
const BY_BODY = new Set(['POST /api/v1/artifact/rules']);
/** Their credential is the body's. */
const PUBLIC = /\/auth\/(?:token|device|authorize)|\/docs$/;

async function endpoints(): Promise<readonly (readonly [method: string, path: string])[]> {
  const { body } = await server.rest('GET', '/api/v1/openapi.json', { key: null });
  const { paths } = body as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => /^(?:get|post|put|patch|delete)$/.test(method) && !PUBLIC.test(path))
      .map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'none')] as const),
  );
}

test.each(['viewer', 'analyst', 'project_lead', 'service'] as const)(
  'whatever is wrong with a request, %s is refused by the role, and nobody by the credential, first',
  async (role) => {
    const mixed: unknown[] = [];
    let refused = 0;
    for (const [method, path] of await endpoints()) {
      const withBody = method !== 'GET';
      const query = withBody ? '?limit=abc' : '?limit=abc&status=none&all=none&as_of=none';
      const ask = (key: string | null): Promise<Answer[]> =>
        Promise.all(
          Object.values(FAULTS)
            .slice(0, withBody ? undefined : 1)
            .map((sent) => server.rest(method, path + query, { ...sent, key })),
        );
      const statuses = new Set((await ask(keys.get(role) ?? null)).map(({ status }) => status));
      if (statuses.has(403)) refused++;
      if (statuses.has(403) && statuses.size > 1 && !BY_BODY.has(`${method} ${path}`))
        mixed.push([role, method, path, ...statuses]);
      if (role !== 'viewer') continue;
      const anonymous = new Set((await ask(null)).map(({ status }) => status));
      if (anonymous.has(401) && anonymous.size > 1) mixed.push(['nobody', method, path, ...anonymous]);
      if (withBody && !anonymous.has(401)) mixed.push(['nobody', method, path, ...anonymous]);
    }
    expect(mixed).toEqual([]);
    expect(refused).toBeGreaterThan(10);
  },
);

test('what a key request asks for is decided before its faults are told', async () => {
  const analyst = await server.newKey({ role: 'analyst', owner: 'user:ana', project: 'p1' });
  for (const [asked, error] of [
    [{ role: 'admin' }, 'insufficient_role'],
    [{ role: 'service' }, 'insufficient_role'],
    [{ role: 'viewer', owner: 'user:other' }, 'insufficient_role'],
    [{ role: 'viewer', owner: 'nobody' }, 'insufficient_role'],
    [{ role: 'viewer', project: 'p2' }, 'project_scope_denied'],
  ] as const)
    for (const fault of [
      {},
      { label: '' },
      { label: 7 },
      { label: 'x', zzz: 1 },
      { label: 'x', expires: 'then' },
    ]) {
      const { status, body } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
        key: analyst,
        body: { ...asked, ...fault },
      });
      expect([asked, fault, status, body.error]).toEqual([asked, fault, 403, error]);
    }
});
