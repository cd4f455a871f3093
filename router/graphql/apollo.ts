// Apollo Server over the supergraph: the parts of GraphQL over HTTP that depend on headers (media types,
// cross-site requests), and the pipeline for its plugins.
import { ApolloServer, type ApolloServerOptionsWithGateway, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { runWithin } from '../../platform/budget/budgeted.ts';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import { graphqlCode } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { hasRun } from '../../platform/result-text.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import { type GraphqlError, withRequestId, writeAnswer } from './answers.ts';
import type { GraphqlRequest } from './read-request.ts';

interface Context {
  readonly ctx: RequestContext;
  readonly operation: RouterOperation;
  readonly request: GraphqlRequest;
}

/** Stands for `data` inside Apollo Server, which passes it on unread until {@link stringify} writes it. */
class Outcome {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const toGraphqlError = ({ message, path, extensions }: GraphqlError): GraphQLError =>
  new GraphQLError(message, { path: path ?? null, extensions: extensions ?? {} });

async function run(
  { operation, request, ctx }: Context,
  limits: OperationLimits,
): Promise<{ data?: Record<string, unknown>; errors?: GraphQLError[] }> {
  const { result, budget } = await runWithin(limits, ctx.caller, operation.kind === 'query', (caller) =>
    operation.run(request.variables, caller),
  );
  try {
    const { result: told, text } = await writeAnswer(result, ctx.requestId, budget);
    if (!hasRun(told)) return { errors: (told.errors ?? []).map(toGraphqlError) };
    return { data: new Outcome(text.toString()) as unknown as Record<string, unknown> }; // see Outcome
  } finally {
    budget.closeWith(ctx.res);
  }
}

const stringify = ({ data, errors }: { data?: unknown; errors?: unknown }): string =>
  data instanceof Outcome ? data.text : JSON.stringify({ errors });

type Gateway = ApolloServerOptionsWithGateway<Context>['gateway'];

const gatewayOver = (supergraph: Supergraph, limits: OperationLimits): Gateway => ({
  onSchemaLoadOrUpdate(listener) {
    const tell = ({ schema, supergraphSdl }: Supergraph['state']): void =>
      listener({ apiSchema: schema, coreSupergraphSdl: supergraphSdl });
    tell(supergraph.state);
    return supergraph.onChange(tell);
  },
  // `answer` below sets this context.
  load: () => Promise.resolve({ executor: ({ context }) => run(context as Context, limits) }),
  stop: () => Promise.resolve(),
});

export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface ApolloEngine {
  /** Answers a request whose operation has been admitted. */
  answer(ctx: RequestContext, operation: RouterOperation, request: GraphqlRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Headers that a page of another site cannot send without a preflight; credentials are among them. */
const PREFLIGHTED = ['x-apollo-operation-name', 'apollo-require-preflight', 'authorization', 'x-api-key'];

export async function createApolloEngine(
  supergraph: Supergraph,
  log: Logger,
  limits: OperationLimits,
): Promise<ApolloEngine> {
  const server = new ApolloServer<Context>({
    gateway: gatewayOver(supergraph, limits),
    introspection: true, // admitted or refused before, see admit.ts
    // every document has been parsed within limits and validated by supergraph.prepare
    dangerouslyDisableValidation: true,
    csrfPrevention: { requestHeaders: PREFLIGHTED },
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: {
      debug: (m) => log.debug(m),
      info: (m) => log.debug(m),
      warn: (m) => log.warn(m),
      error: (m) => log.error(m),
    },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(), // reporting is off whatever the environment says
    ],
    stringifyResult: stringify,
    formatError: (formatted, error) => {
      const own = error instanceof GraphQLError && error.extensions['code'] === 'BAD_REQUEST';
      return own ? { ...formatted, extensions: { code: graphqlCode('invalid_request') } } : formatted;
    },
  });
  await server.start();
  return {
    async answer(ctx, operation, request) {
      const { req, requestId, search } = ctx;
      const headers = new HeaderMap();
      for (const name in req.headers) {
        const value = req.headers[name];
        if (typeof value === 'string') headers.set(name, value);
      }
      const {
        status,
        headers: answered,
        body,
      } = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: req.method === 'POST' ? 'POST' : 'GET',
          headers,
          search,
          body:
            req.method === 'POST' ? { ...request, operationName: request.operationName ?? null } : undefined,
        },
        context: () => Promise.resolve({ ctx, operation, request }),
      });
      const text = body.kind === 'complete' ? body.string : '';
      return {
        status: status ?? 200,
        headers: answered,
        body: text.startsWith('{"errors"') && !text.includes(requestId) ? named(text, requestId) : text,
      };
    },
    close: () => server.stop(),
  };
}

/** Adds the request id to errors that Apollo Server itself creates. */
function named(text: string, requestId: string): string {
  const { errors } = JSON.parse(text) as { errors: GraphqlError[] }; // `stringify` wrote it.
  return JSON.stringify({ errors: errors.map((error) => withRequestId(error, requestId)) });
}
