// docs/reference/gateway.md#role-table: every role calls every operation, by REST, by GraphQL, and directly
// at its subgraph.
import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  type IntrospectionQuery,
  Kind,
  parse,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../platform/identity.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import { createGatewayComponent } from '../../router/gateway-schema/component.ts';
import { createHealth } from '../../router/health/health.ts';
import { openApiKeys } from '../../router/api-keys/open-api-keys.ts';
import { openCredentialInvalidation } from '../../router/credential-invalidation/credential-invalidation.ts';
import { COMPONENT_KINDS } from '../../router/main/component-kinds.ts';
import { createSync } from '../../router/sync/sync.service.ts';
import { createSyncStore } from '../../router/sync/sync.store.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { restOfGateway } from '../testkit/rest-of-gateway.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { type Line, lineOf, verdict, expected, coordinates, operationAt } from './role-matrix.ts';

describe('at the gateway', () => {
  let server: TestServer;
  let schema: GraphQLSchema;
  const keys = new Map<Role, string>();
  beforeAll(async () => {
    server = await startServer();
    schema = buildClientSchema(
      (await server.graphql(getIntrospectionQuery())).body.data as IntrospectionQuery,
    );
    for (const role of ROLES)
      keys.set(role, await server.newKey({ role, label: role, owner: `user:${role}` }));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const forEachRole = async (ask: (key: string) => Promise<unknown>): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const role of ROLES) found[role] = verdict(await ask(keys.get(role) ?? ''));
    return found;
  };

  test('GraphQL: every role calls every operation', async () => {
    const all = coordinates(schema);
    expect(all.length).toBeGreaterThan(50);
    for (const coordinate of all) {
      const line = lineOf(coordinate);
      if (line === undefined) continue; // the next test covers it
      const { source, variables } = operationAt(schema, coordinate);
      const found = await forEachRole(async (key) => {
        const headers = coordinate.startsWith('Subscription') ? { accept: 'application/json' } : {};
        const { body } = await server.graphql(source, variables, { key, headers });
        return (body.errors as { extensions: { code: string } }[] | undefined)?.[0]?.extensions.code;
      });
      expect([coordinate, found]).toEqual([coordinate, expected(line)]);
    }
  });

  test('every operation is in the role matrix', () => {
    expect(coordinates(schema).filter((coordinate) => lineOf(coordinate) === undefined)).toEqual([]);
  });

  test('REST: every role calls every endpoint of the components', async () => {
    for (const kind of COMPONENT_KINDS) {
      for (const row of kind.rows) {
        if (row.access === 'public') continue;
        const operation = parse(row.operation).definitions.find(
          (definition) => definition.kind === Kind.OPERATION_DEFINITION,
        );
        const field = operation?.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
        const coordinate = `${operation?.operation === 'mutation' ? 'Mutation' : 'Query'}.${field?.name.value}`;
        const line = lineOf(coordinate);
        if (line === undefined) continue;
        const path = `/api/v1/${kind.name}${row.path.replaceAll(/\{\w+\}/g, 'x')}`;
        const found = await forEachRole(
          async (key) =>
            (await server.rest(row.method, path, { key, ...(row.body === undefined ? {} : { body: {} }) }))
              .body?.error,
        );
        expect([row.method, path, found]).toEqual([row.method, path, expected(line)]);
      }
    }
  });

  const KEYS = '/api/v1/gateway/auth/api-keys';
  const OWN = { minimum: 'analyst', service: false, fields: [] } as const;
  const ADMIN = { minimum: 'admin', service: false, fields: [] } as const;
  test.each<[method: string, path: string, line: Line]>([
    ['POST', KEYS, OWN],
    ['GET', KEYS, OWN],
    ['DELETE', `${KEYS}/key_x`, OWN],
    ['POST', `${KEYS}/key_x/rotate`, OWN],
    ['GET', `${KEYS}?all=true`, ADMIN],
    ['GET', `${KEYS}?user=user:somebody`, ADMIN],
    ['GET', '/api/v1/gateway/sync/events', ADMIN],
    ['GET', '/api/v1/gateway/sync/events/evt_x', ADMIN],
    ['POST', '/api/v1/gateway/sync/events/evt_x/resolve', ADMIN],
    ['GET', '/api/v1/gateway/sync/scan/latest', ADMIN],
    ['POST', '/api/v1/gateway/sync/scan', ADMIN],
    ['POST', '/api/v1/gateway/auth/signing-keys/rotate', ADMIN],
  ])('REST: every role asks %s %s of the gateway itself', async (method, path, line) => {
    expect(
      await forEachRole(
        async (key) =>
          (await server.rest(method, path, { key, ...(method === 'GET' ? {} : { body: {} }) })).body?.error,
      ),
    ).toEqual(expected(line));
  });

  test.each<[method: string, path: string, minimum: Role, service: boolean]>([
    // docs/reference/gateway.md#role-table
    ['POST', '/api/v1/workflow/runs', 'analyst', true],
    ['GET', '/api/v1/artifact/resolve?entity_type=x', 'viewer', true],
    ['POST', '/api/v1/artifact/produce', 'analyst', true],
    ['DELETE', '/api/v1/artifact/cache/x', 'admin', false],
    ['DELETE', '/api/v1/artifact/cache/*', 'admin', false],
  ])('%s %s takes the role that the specification names', async (method, path, minimum, service) => {
    const found = await forEachRole(
      async (key) =>
        (await server.rest(method, path, { key, ...(method === 'GET' ? {} : { body: {} }) })).body?.error,
    );
    expect(found).toEqual(expected({ minimum, service, fields: [] }));
  });
});

describe('straight at a subgraph, as if the gateway had let everything through', () => {
  const components: LocalComponent[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const database = await freshDatabase();
    const config = parseConfig('', '/tmp/gateway.yaml', { env: {}, cwd: '/tmp' });
    const around = {
      config,
      database,
      log: testLog.child({}, { level: 'silent' }),
      ask: () => () => Promise.resolve({ data: {} }),
      publicUrl: () => 'https://cairn.test',
      onReady: () => undefined,
    };
    for (const kind of COMPONENT_KINDS) components.push(await kind.create(around));
    const invalidation = await openCredentialInvalidation({
      db: database.pool,
      listen: database.listen,
      log: testLog,
    });
    const keys = openApiKeys({ pool: database.pool, invalidation, log: testLog });
    const sync = createSync({
      store: createSyncStore(database),
      log: testLog,
      deps: {
        declared: async function* nothing() {
          yield* [];
        },
        exist: () => Promise.resolve([]),
      },
    });
    const health = createHealth({ components: {}, storeAnswers: () => Promise.resolve(true), cacheMs: 0 });
    components.push(createGatewayComponent({ keys: keys.keys, sync, health, ...restOfGateway }));
    closers.push(
      () => sync.close(),
      () => keys.close(),
      () => invalidation.close(),
      ...components.map((component) => () => component.close()),
      async () => {
        await database[Symbol.asyncDispose]();
      },
    );
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  const ask = async (
    component: LocalComponent,
    coordinate: string,
    roles: readonly Role[],
  ): Promise<string> => {
    const { source, variables } = operationAt(component.schema, coordinate);
    const signal = AbortSignal.timeout(2000);
    const caller = {
      actor: 'user:x',
      roles,
      projects: '*',
      requestId: '00000000-0000-4000-8000-000000000000',
      signal,
    } as const;
    if (!coordinate.startsWith('Subscription'))
      return verdict((await component.prepare(source)(variables, caller)).errors?.[0]?.extensions?.['code']);
    const gone = new AbortController();
    try {
      await component.subscribe(source, variables, { ...caller, signal: gone.signal });
      return 'admitted';
    } catch (thrown) {
      return verdict((thrown as { code?: unknown }).code);
    } finally {
      gone.abort();
    }
  };

  test('every role calls every operation', async () => {
    for (const component of components) {
      for (const coordinate of coordinates(component.schema)) {
        const line = lineOf(coordinate);
        if (line === undefined) continue;
        const found: Record<string, string> = {};
        for (const role of ROLES) found[role] = await ask(component, coordinate, [role]);
        expect([component.name, coordinate, found]).toEqual([component.name, coordinate, expected(line)]);
      }
    }
  });

  test('a caller without a role gets no data, not even entities by references', async () => {
    for (const component of components) {
      for (const coordinate of coordinates(component.schema))
        expect([coordinate, await ask(component, coordinate, [])]).toEqual([coordinate, 'refused']);
      if (component.schema.getQueryType()?.getFields()['_entities'] === undefined) continue;
      const entities = component.prepare(
        'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }',
      );
      const { errors } = await entities(
        { r: [{ __typename: 'Entity', id: 'x' }] },
        { actor: 'user:x', roles: [], projects: '*', requestId: 'r' },
      );
      expect(errors?.[0]?.extensions?.['code']).toBe('INSUFFICIENT_ROLE');
    }
  });
});
