// The route of a path: a component's REST API by its prefix, one of the gateway's own routes, or a refusal
// (docs/reference/gateway.md#routing).
import findMyWay from 'find-my-way';
import { DomainError } from '../../../platform/errors.ts';
import { refusalAsOf } from '../../../platform/past/as-of-fields.ts';
import { AS_OF_FIELD, AS_OF_HEADER } from '../../../platform/past/one-instant.ts';
import {
  type RequestContext,
  type RestApi,
  isMethod,
  type Match,
  type Method,
  METHODS,
} from '../../../platform/request-context.ts';

export type Params = Readonly<Record<string, string>>;

/** One of the gateway's own routes. */
export interface Route {
  readonly method: Method;
  /**
   * The absolute path as in the specification: `/api/v1/gateway/auth/api-keys/{key_id}`; a final `*` matches
   * any rest.
   */
  readonly path: string;
  readonly access: Match['access'];
  readonly bodyLimit?: number;
  readonly isProbe?: true;
  /** It reads as of `X-As-Of`, or refuses that by itself; others refuse it. */
  readonly heedsInstant?: true;
  readonly isAsset?: boolean;
  /** Nothing is there for people: a browser that is led to it gets a page which says so. */
  readonly hasNoPage?: true;
  handle(ctx: RequestContext, params: Params): Promise<void> | void;
}

export interface RoutesOptions {
  /** By the name in the path: `metadata`, `workflow`, `artifact`, and the `rest` components. */
  readonly restApis: Readonly<Record<string, RestApi>>;
  readonly routes: readonly Route[];
}

const API = '/api/v1/';
const DRS = '/ga4gh/drs/v1/';

const NOT_FOUND: Match = {
  template: 'none',
  isMissing: true,
  access: 'authenticated',
  handle: ({ path }) => {
    throw new DomainError('route_not_found', `there is no resource at ${path}`);
  },
};

/** TRACE would echo credentials, CONNECT would make the gateway a proxy. */
const NEVER = new Set(['TRACE', 'CONNECT']);

const wrongMethod = (template: string, access: Match['access'], allow: string): Match => ({
  template,
  access,
  handle: ({ req, res }) => {
    res.setHeader('allow', allow);
    throw new DomainError(
      'method_not_allowed',
      `the method ${req.method} is not allowed here; allowed: ${allow}`,
    );
  },
});

/** Nobody who asks as of an instant is told of the present (docs/reference/api-conventions.md#one-instant-for-an-operation). */
function assertHeeded({ heedsInstant, path }: Route, { req }: RequestContext): void {
  if (heedsInstant !== true && req.headers[AS_OF_HEADER] !== undefined) throw refusalAsOf(path, AS_OF_FIELD);
}

const matchOf = (route: Route, params: Params): Match => ({
  template: route.path,
  access: route.access,
  handle: (ctx) => {
    assertHeeded(route, ctx);
    return route.handle(ctx, params);
  },
  ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
  ...(route.isAsset === undefined ? {} : { isAsset: route.isAsset }),
  ...(route.hasNoPage === undefined ? {} : { hasNoPage: route.hasNoPage }),
  ...(route.isProbe === undefined ? {} : { isProbe: route.isProbe }),
});

/** The gateway's own routes: a map for those without parameters, a radix tree for the others. */
function ownRoutes(routes: readonly Route[]): (method: string, path: string) => Match {
  const fixed = new Map<string, Match>();
  const tree = findMyWay<findMyWay.HTTPVersion.V1>({ caseSensitive: true, maxParamLength: 2048 });
  for (const route of routes) {
    tree.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, route);
    if (!/[{*]/.test(route.path)) fixed.set(`${route.method} ${route.path}`, matchOf(route, {}));
  }
  const find = (method: Method, path: string): { route: Route; params: Params } | undefined => {
    const found = tree.find(method, path);
    if (found === null) return undefined;
    // `on` stored it; a path's parameters are strings.
    return { route: found.store as Route, params: found.params as Params };
  };
  return (method, path) => {
    const known = fixed.get(`${method} ${path}`);
    if (known) return known;
    const match = isMethod(method) ? find(method, path) : undefined;
    if (match) return matchOf(match.route, match.params);
    const allowed = METHODS.flatMap((other) => find(other, path)?.route ?? []);
    const [first] = allowed;
    if (first === undefined) return NOT_FOUND;
    const allow = allowed
      .flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
      .join(', ');
    return wrongMethod(
      first.path,
      allowed.some((route) => route.access === 'public') ? 'public' : 'authenticated',
      allow,
    );
  };
}

/** Returns a route for every method and path; HEAD is looked up as GET. */
export function createRoutes({ restApis, routes }: RoutesOptions): (method: string, path: string) => Match {
  const byPrefix = new Map(Object.entries(restApis));
  const own = ownRoutes(routes);
  return (method, path) => {
    const sought = method === 'HEAD' ? 'GET' : method;
    if (NEVER.has(method)) return wrongMethod('none', 'authenticated', METHODS.join(', '));
    if (path.startsWith(API)) {
      const end = path.indexOf('/', API.length);
      const restApi = byPrefix.get(end < 0 ? path.slice(API.length) : path.slice(API.length, end));
      if (restApi) return restApi.match(sought, end < 0 ? '/' : path.slice(end));
    } else if (path.startsWith(DRS)) {
      const metadata = byPrefix.get('metadata');
      if (metadata) return metadata.match(sought, path);
    }
    return own(sought, path);
  };
}
