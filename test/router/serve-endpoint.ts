// Serves the GraphQL endpoint behind a minimal edge: identity by test headers, routes as the edge matches them.
import { onTestFinished } from 'vitest';
import type { Component } from '../../platform/component.ts';
import { DomainError, masked } from '../../platform/errors.ts';
import type { Exchange } from '../../platform/exchange.ts';
import { type Caller, isRole } from '../../platform/identity.ts';
import { createRoutes } from '../../router/edge/routes.ts';
import { createSupergraph } from '../../router/execution/supergraph.ts';
import { createGraphqlEndpoint, type GraphqlOptions } from '../../router/graphql/endpoint.ts';
import { caller, createLibrary, log, permissions } from './library.ts';
import { listen } from './over-http.ts';

export interface Endpoint {
  readonly url: string;
  /** Exchanges in order, for what the handler told the audit. */
  readonly exchanges: Exchange[];
}

type Options = Partial<Omit<GraphqlOptions, 'supergraph' | 'log'>> & {
  readonly components?: readonly Component[];
};

const callerOf = (headers: Exchange['req']['headers']): Caller => {
  const role = headers['x-test-role'];
  const projects = headers['x-test-projects'];
  if (role === 'none') return { ...caller, actor: 'anonymous', roles: [], projects: [] };
  return {
    ...caller,
    roles: isRole(role) ? [role] : ['admin'],
    projects: typeof projects === 'string' ? projects.split(',') : '*',
  };
};

/** Closed, with its supergraph, when the test is over. */
export async function serveEndpoint(
  { components = createLibrary(), ...options }: Options = {},
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
  const find = createRoutes({ faces: {}, routes: endpoint.routes });
  const exchanges: Exchange[] = [];
  const served = await listen(async (req, res) => {
    const [path = '', search = ''] = (req.url ?? '').split('?');
    const match = find(req.method ?? '', path);
    const exchange: Exchange = {
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
    exchanges.push(exchange);
    try {
      if (match.access !== 'public' && exchange.caller.roles.length === 0)
        throw new DomainError('missing_token', 'no credential');
      await match.handle(exchange);
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
  return { url: `${served.url}/graphql`, exchanges };
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
