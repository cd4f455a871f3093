// What the library has no operation for: any document, and who is asking.
import type { CallOptions } from './call-options.ts';
import type { Core } from './core.ts';
import type { Safety } from './transport/retry.ts';
import type { Variables } from './transport/transport.ts';

export type Role = 'viewer' | 'analyst' | 'project_lead' | 'admin' | 'service';

/** Who is asking, as the platform sees it. */
export interface Actor {
  readonly actor: string;
  readonly roles: readonly Role[];
  /** Null for all of them. */
  readonly projects: readonly string[] | null;
}

export interface GraphqlOptions extends CallOptions {
  /** Whether it may be sent again after a failure: default `read` for queries, `once` for mutations. */
  readonly safety?: Safety | undefined;
}

export interface GraphqlOperations {
  /** `data` of any operation, one a document. @throws the exception of the first error in the answer */
  graphql<Data = Record<string, unknown>>(
    document: string,
    variables?: Variables,
    options?: GraphqlOptions,
  ): Promise<Data>;
  /** @throws UnauthorizedError */
  me(options?: CallOptions): Promise<Actor>;
}

/** Whether a document may change something: anything but a plain query. Comments and words before the operation are passed over. */
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
