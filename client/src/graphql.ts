// Runs any GraphQL document, for what the client has no operation for, and returns the caller's identity.
import type { CallOptions } from './call-options.ts';
import type { Core } from './core.ts';
import type { Safety } from './transport/retry.ts';
import type { Variables } from './transport/transport.ts';

export type Role = 'viewer' | 'analyst' | 'project_lead' | 'admin' | 'service';

/** The caller's identity, as the platform sees it. */
export interface Actor {
  readonly actor: string;
  readonly roles: readonly Role[];
  /** Null for all projects. */
  readonly projects: readonly string[] | null;
}

export interface GraphqlOptions extends CallOptions {
  /** Whether the request may be retried after a failure; default `read` for queries, `once` for mutations. */
  readonly safety?: Safety | undefined;
}

export interface GraphqlOperations {
  /**
   * Returns `data` of an operation; the document has one operation. @throws the exception of the first error
   */
  graphql<Data = Record<string, unknown>>(
    document: string,
    variables?: Variables,
    options?: GraphqlOptions,
  ): Promise<Data>;
  /** @throws UnauthorizedError */
  me(options?: CallOptions): Promise<Actor>;
}

/** Whether a document contains anything but a query. Comments and strings are ignored. */
const isMutation = (document: string): boolean =>
  /(^|[}\s,])(mutation|subscription)\b/.test(document.replace(/"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|#.*/g, ' '));

export const graphqlOf = ({ transport }: Core): GraphqlOperations => ({
  graphql: (document, variables = {}, { safety, ...options } = {}) =>
    transport.send(
      { document, safety: safety ?? (isMutation(document) ? 'once' : 'read') },
      variables,
      options,
    ),
  async me(options = {}) {
    const { me } = await transport.send<{ me: Actor }>(
      { document: 'query Me { me { actor roles projects } }', safety: 'read' },
      {},
      options,
    );
    return me;
  },
});
