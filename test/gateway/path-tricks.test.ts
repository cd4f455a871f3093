// No spelling of a path, a method or a header circumvents a role check: tried on every protected operation
// (docs/reference/gateway.md#canonical-paths).
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allows, PERMISSIONS, type Permission } from '../../platform/permissions.ts';
import { permissionOf } from '../../rest-compat/document-permission.ts';
import { COMPONENT_KINDS } from '../../router/main/component-kinds.ts';
import { ROOT_PERMISSIONS } from '../../router/main/rest-apis.ts';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
let viewer: string;
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
beforeAll(async () => {
  server = await startServer();
  viewer = await server.newKey({ role: 'viewer', owner: 'user:somebody' });
});
afterAll(async () => {
  agent.destroy();
  await server[Symbol.asyncDispose]();
});

/** The path as it is written, without normalisation by a client. */
function send(
  method: string,
  path: string,
  headers: http.OutgoingHttpHeaders,
  body?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const length =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(
      { hostname, port, method, path, agent, headers: { ...length, ...headers } },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk;
          })
          .on('end', () => resolve({ status: response.statusCode ?? 0, text }))
          .on('error', reject);
      },
    );
    request.on('error', reject).end(body);
  });
}

const isAboveViewer = (permission: Permission): boolean =>
  !allows({ actor: 'x', roles: ['viewer'], projects: '*' }, permission);
const GATEWAY: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/api/v1/gateway/auth/api-keys'],
  ['GET', '/api/v1/gateway/auth/api-keys'],
  ['DELETE', '/api/v1/gateway/auth/api-keys/key_x'],
  ['POST', '/api/v1/gateway/auth/api-keys/key_x/rotate'],
  ['POST', '/api/v1/gateway/sync/scan'],
  ['GET', '/api/v1/gateway/sync/events'],
  ['POST', '/api/v1/gateway/auth/signing-keys/rotate'],
];
const PROTECTED = [
  ...COMPONENT_KINDS.flatMap((kind) =>
    kind.rows
      .filter(
        (row) => row.access !== 'public' && isAboveViewer(permissionOf(row.operation, ROOT_PERMISSIONS)),
      )
      .map((row) => [row.method, `/api/v1/${kind.name}${row.path.replaceAll(/\{\w+\}/g, 'x')}`] as const),
  ),
  ...GATEWAY,
];

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** Alternative spellings of `/api/v1/<component>/<rest>`, and other methods for it. */
const TRICKS: Readonly<
  Record<
    string,
    (
      method: string,
      path: string,
    ) => readonly [method: string, path: string, headers?: http.OutgoingHttpHeaders]
  >
> = {
  'as it is': (method, path) => [method, path],
  'a slash at the end': (method, path) => [method, `${path}/`],
  'two slashes at the end': (method, path) => [method, `${path}//`],
  'a slash twice': (method, path) => [method, path.replace('/v1/', '/v1//')],
  'a slash in front': (method, path) => [method, `/${path}`],
  'a dot': (method, path) => [method, path.replace(/\/([^/]+)$/, '/./$1')],
  'two dots': (method, path) => [method, path.replace(/\/([^/]+)$/, '/y/../$1')],
  'escaped dots': (method, path) => [method, path.replace(/\/([^/]+)$/, '/y/%2e%2E/$1')],
  'doubly escaped dots': (method, path) => [method, path.replace(/\/([^/]+)$/, '/y/%252e%252e/$1')],
  'from a public path': (method, path) => [method, `/api/v1/gateway/health/../../../..${path}`],
  'a semicolon': (method, path) => [method, path.replace(/\/([^/]+)$/, '/$1;x=1')],
  'an escaped slash': (method, path) => [method, path.replace(/\/([^/]+)$/, '%2f$1')],
  'an escaped backslash': (method, path) => [method, path.replace(/\/([^/]+)$/, '%5c$1')],
  'an escaped first letter': (method, path) => [
    method,
    path.replace(/\/([^/])([^/]*)$/, (_, first: string, rest: string) => `/${escaped(first)}${rest}`),
  ],
  'all letters escaped': (method, path) => [method, path.replaceAll(/[a-z]/g, escaped)],
  'an escaped NUL': (method, path) => [method, `${path}%00`],
  'a space': (method, path) => [method, `${path}%20`],
  capitals: (method, path) => [method, path.toUpperCase()],
  'a fragment': (method, path) => [method, `${path}%23x`],
  'an absolute target': (method, path) => [method, `http://127.0.0.1${path}`],
  HEAD: (_method, path) => ['HEAD', path],
  'an overriding header': (method, path) => [
    method === 'GET' ? 'GET' : 'POST',
    path,
    {
      'x-http-method-override': method,
      'x-method-override': method,
      'x-original-url': path,
      'x-rewrite-url': path,
    },
  ],
  'a path in a header': (method, path) => [
    method,
    '/api/v1/gateway/health',
    { 'x-original-url': path, 'x-rewrite-url': path, 'x-forwarded-prefix': path },
  ],
  'identity headers': (method, path) => [
    method,
    path,
    {
      'x-platform-actor': 'user:admin',
      'x-platform-roles': 'admin',
      X_Platform_Roles: 'admin',
      'x-platform-projects': '*',
      'x-forwarded-for': '127.0.0.1',
    },
  ],
};

test('there are operations to protect', () => {
  expect(PROTECTED.length).toBeGreaterThan(20);
  expect(Object.keys(PERMISSIONS).length).toBeGreaterThan(10);
});

test.each(Object.entries(TRICKS))('%s', async (_, write) => {
  const found: unknown[] = [];
  for (const [method, path] of PROTECTED) {
    const [asked, target, headers = {}] = write(method, path);
    for (const credential of [{ 'x-api-key': viewer }, {}]) {
      const body = asked === 'GET' || asked === 'HEAD' ? undefined : '{}';
      const { status, text } = await send(asked, target, { ...headers, ...credential }, body);
      // a successful answer comes from another endpoint: a page of the gateway's own, or a read that a
      // viewer may make of that very path
      const isOther =
        status === 200 &&
        (target === '/api/v1/gateway/health' || (asked !== method && 'x-api-key' in credential));
      if (!isOther && ![400, 401, 403, 404, 405, 415].includes(status))
        found.push([asked, target, Object.keys(credential), status, text.slice(0, 200)]);
      if (status === 403 || status === 401)
        expect(text === '' || /insufficient_role|missing_token/.test(text)).toBe(true);
    }
  }
  expect(found).toEqual([]);
});

test('after all these requests nothing has been created, changed or revoked', async () => {
  expect((await server.rest('GET', '/api/v1/metadata/entities')).body.data.total).toBe(0);
  expect((await server.rest('GET', '/api/v1/gateway/auth/api-keys?all=true')).body.keys).toHaveLength(2);
  expect((await server.rest('GET', '/api/v1/gateway/sync/scan/latest')).status).toBe(404);
});
