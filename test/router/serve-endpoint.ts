// Serves the GraphQL endpoint behind a minimal edge: identity from test headers, routes as the edge matches
// them.
import { onTestFinished } from 'vitest';
import type { Component } from '../../platform/component.ts';
import { DomainError, masked } from '../../platform/errors.ts';
import type { Permission } from '../../platform/permissions.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type Caller, isRole } from '../../platform/identity.ts';
import { createRoutes } from '../../router/edge/http/routes.ts';
import { createSupergraph } from '../../router/execution/supergraph.ts';
import { createGraphqlEndpoint, type GraphqlOptions } from '../../router/graphql/endpoint.ts';
import { caller, createLibrary, log, permissions as libraryPermissions } from './library.ts';
import { listen } from './over-http.ts';

export interface Endpoint {
  readonly url: string;
  /** Request contexts in order, with what the handler reported for the audit. */
  readonly contexts: RequestContext[];
}

type Options = Partial<Omit<GraphqlOptions, 'supergraph' | 'log'>> & {
  readonly components?: readonly Component[];
  /** By default the library's. */
  readonly permissions?: Readonly<Record<string, Permission>>;
};

const callerOf = (headers: RequestContext['req']['headers']): Caller => {
  const role = headers['x-test-role'];
  const projects = headers['x-test-projects'];
  if (role === 'none') return { ...caller, actor: 'anonymous', roles: [], projects: [] };
  return {
    ...caller,
    roles: isRole(role) ? [role] : ['admin'],
    projects: typeof projects === 'string' ? projects.split(',') : '*',
  };
};

/** Closed, with its supergraph, after the test. */
export async function serveEndpoint(
  { components = createLibrary(), permissions = libraryPermissions, ...options }: Options = {},
  finished: (fn: () => Promise<void>) => void = (fn) => onTestFinished(fn),
): Promise<Endpoint> {
  const supergraph = await createSupergraph({
    components,
    permissions,
    log,
    pollMs: 0,
    hideSuggestions: options.introspection === false,
  });
  const endpoint = await createGraphqlEndpoint({
    supergraph,
    log,
    introspection: true,
    explorer: true,
    bodyLimit: 100_000,
    credentials: caller,
    ...options,
  });
  const find = createRoutes({ restApis: {}, routes: endpoint.routes });
  const contexts: RequestContext[] = [];
  const served = await listen(async (req, res) => {
    const [path = '', search = ''] = (req.url ?? '').split('?');
    const match = find(req.method ?? '', path);
    const ctx: RequestContext = {
      req,
      res,
      path,
      search,
      requestId: caller.requestId,
      ip: '127.0.0.1',
      caller: callerOf(req.headers),
      template: match.template,
      bodyLimit: match.bodyLimit ?? 1000,
    };
    contexts.push(ctx);
    try {
      if (match.access !== 'public' && ctx.caller.roles.length === 0)
        throw new DomainError('missing_token', 'no credential');
      await match.handle(ctx);
    } catch (thrown) {
      const error = masked(thrown);
      res
        .writeHead(error.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: error.code }));
    }
  });
  finished(async () => {
    await served.close();
    await endpoint.close();
    supergraph.close();
  });
  return { url: `${served.url}/graphql`, contexts };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly {
      readonly message: string;
      readonly path?: unknown;
      readonly extensions: Record<string, unknown>;
    }[];
    readonly extensions?: unknown;
    readonly error?: string;
  };
}

export async function ask(
  { url }: Endpoint,
  { path = '', ...init }: RequestInit & { readonly path?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, init);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

export const post = (
  query: unknown,
  more: {
    readonly variables?: unknown;
    readonly operationName?: unknown;
    readonly headers?: Record<string, string>;
  } = {},
): RequestInit => {
  const { headers, ...rest } = more;
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, ...rest }),
  };
};
