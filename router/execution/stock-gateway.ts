// The stock Apollo Gateway over the same supergraph and components, for operations that the plan executor
// does not support.
import { createHash } from 'node:crypto';
import type { ApolloGateway, GraphQLDataSource } from '@apollo/gateway';
import { type DocumentNode, GraphQLError, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { never } from '../../platform/budget/budget.ts';
import type {
  Component,
  ComponentError,
  ComponentExtensions,
  ComponentResult,
  PreparedOperation,
} from '../../platform/component.ts';
import { DomainError, errorCodeOf, masked } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import { hiddenAt, notFoundAt } from './completion-errors.ts';
import type { Composition } from './compose.ts';
import { addExtensions, plainData } from './results.ts';

const CACHED_FETCHES = 500;

interface StockContext {
  readonly caller: Caller;
  readonly extensions: ComponentExtensions;
}

class ComponentSource implements GraphQLDataSource {
  readonly #component: Component;
  readonly #prepared = new LRUCache<string, PreparedOperation>({ max: CACHED_FETCHES });

  constructor(component: Component) {
    this.#component = component;
  }

  async process({
    request,
    context,
  }: Parameters<GraphQLDataSource['process']>[0]): ReturnType<GraphQLDataSource['process']> {
    const source = request.query ?? '';
    const prepared = this.#prepared.get(source) ?? this.#component.prepare(source, request.operationName);
    this.#prepared.set(source, prepared);
    const { caller, extensions: beside } = context as StockContext; // `bind` below stored it.
    const { budget } = caller;
    const result = budget?.ended ? await never() : await prepared(request.variables ?? {}, caller);
    // an operation that has ended is already answered: what the gateway would still fetch and merge is not
    // needed
    if (budget?.ended) return never();
    addExtensions(beside, result.extensions);
    const errors = result.errors?.map(
      ({ message, path, extensions }) =>
        new GraphQLError(message, { path: path ?? null, extensions: extensions ?? {} }),
    );
    return {
      data: (await plainData(result, budget)) ?? null,
      ...(errors === undefined ? {} : { errors }),
      // Its type requires mutable errors, null for undefined.
    } as Awaited<ReturnType<GraphQLDataSource['process']>>;
  }
}

/** One operation run by the stock gateway. */
export type StockRun = (
  variables: Readonly<Record<string, unknown>>,
  caller: Caller,
) => Promise<ComponentResult>;

export interface StockGateway {
  bind(source: string, document: DocumentNode, operation: OperationDefinitionNode): StockRun;
}

const quiet = { debug: () => undefined, info: () => undefined };

/**
 * Imported for the first operation that needs it: most processes never do, and it takes half a second and
 * tens of megabytes. The gateway's constructor would report to its vendor every hour and query cloud metadata
 * hosts; this is disabled.
 */
async function loadGateway(
  composition: Composition,
  components: ReadonlyMap<string, Component>,
  log: Logger,
): Promise<ApolloGateway> {
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const { ApolloGateway } = await import('@apollo/gateway');
  const gateway = new ApolloGateway({
    supergraphSdl: composition.supergraphSdl,
    logger: { ...quiet, warn: (message) => log.warn(message), error: (message) => log.error(message) },
    buildService: ({ name }) => {
      const component = components.get(name);
      if (!component) throw new Error(`no component ${name}`);
      return new ComponentSource(component);
    },
  });
  await gateway.load();
  return gateway;
}

/** Starts with its first operation; holds nothing that has to be closed. */
export function createStockGateway(
  composition: Composition,
  components: ReadonlyMap<string, Component>,
  log: Logger,
): StockGateway {
  let loading: Promise<ApolloGateway> | undefined;
  const bind: StockGateway['bind'] = (source, document, operation) => {
    const operationName = operation.name?.value;
    const queryHash = createHash('sha256').update(source).digest('hex');
    return async (variables, caller) => {
      const gateway = await (loading ??= loadGateway(composition, components, log));
      const extensions: ComponentExtensions = {};
      const result = await gateway.executor({
        request: {
          query: source,
          variables: { ...variables },
          ...(operationName === undefined ? {} : { operationName }),
        },
        source,
        document,
        operation,
        queryHash,
        operationName: operationName ?? null,
        context: { caller, extensions } satisfies StockContext,
        schema: composition.schema,
        logger: log,
        metrics: {},
      } as never); // The executor does not read the rest of Apollo Server's request context.
      const errors = [
        ...(result.errors ?? []).map((e) => presentable(e, log, caller)),
        ...completionErrors(result.extensions),
      ];
      return { data: result.data ?? null, ...(errors.length === 0 ? {} : { errors }), extensions };
    };
  };

  return { bind };
}

/**
 * The gateway reports in an extension what the API schema does not allow: nulls in non-null fields, and
 * hidden values and types. Clients receive them as errors.
 */
function completionErrors(extensions: Record<string, unknown> | undefined): readonly ComponentError[] {
  const errors: unknown = extensions?.['valueCompletion'];
  if (!Array.isArray(errors)) return [];
  return errors
    .filter((error) => error instanceof GraphQLError)
    .map(({ message, path = [] }) => (message.startsWith('Invalid ') ? hiddenAt(path) : notFoundAt(path)));
}

function presentable(error: GraphQLError, log: Logger, caller: Caller): ComponentError {
  const place = error.path === undefined ? {} : { path: error.path };
  const code = errorCodeOf(error.extensions['code']);
  if (code === undefined) {
    log.error({ err: error, requestId: caller.requestId }, 'unexpected error in the stock gateway');
    const { message, extensions } = masked(error);
    return { message, ...place, extensions };
  }
  // A component's error carries a DomainError's details.
  const details = error.extensions['details'] as DomainError['details'] | undefined;
  return {
    message: error.message,
    ...place,
    extensions: new DomainError(code, error.message, details).extensions,
  };
}
