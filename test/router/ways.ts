// Runs one document on every execution path: the router's own choice, the plan executor, and the stock Apollo
// Gateway.
import {
  type DocumentNode,
  executeSync,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  parse,
  print,
  visit,
} from 'graphql';
import { expect } from 'vitest';
import type { Component, ComponentResult } from '../../platform/component.ts';
import { compose } from '../../router/execution/compose.ts';
import { operationNamed } from '../../router/execution/prepare-operation.ts';
import { createStockGateway } from '../../router/execution/stock-gateway.ts';
import { createSupergraph, type Supergraph } from '../../router/execution/supergraph.ts';
import { caller, log, permissions } from './library.ts';

export type Variables = Readonly<Record<string, unknown>>;

export type Way = (source: string, variables?: Variables) => Promise<ComponentResult>;

export interface Ways {
  readonly supergraph: Supergraph;
  readonly own: Way;
  /** Only for queries: introspection beside the data prevents direct execution by one subgraph. */
  readonly planned: Way;
  readonly stock: Way;
}

const WIDE = { tokens: 50_000, depth: 100, rootFields: 200, aliases: 1000, directives: 1000, fields: 5000 };

const FORCED = '{ forced: __type(name: "Query") { name } }';

/** The document with introspection beside its data. */
export function withIntrospection(source: string): string {
  return print(
    visit(parse(source), {
      OperationDefinition(operation) {
        const [forced] = parse(FORCED).definitions;
        const more = forced?.kind === Kind.OPERATION_DEFINITION ? forced.selectionSet.selections : [];
        return {
          ...operation,
          selectionSet: {
            ...operation.selectionSet,
            selections: [...more, ...operation.selectionSet.selections],
          },
        };
      },
    }),
  );
}

/**
 * The same data in the order that GraphQL prescribes, computed by graphql-js. The stock gateway sometimes
 * deviates from it, and so do compiled operations of a subgraph if a field has conditions in one place and
 * not in another.
 */
function inOrder(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Variables,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const read = (source: unknown, _: unknown, __: unknown, { path }: GraphQLResolveInfo): unknown =>
    (source as Record<string, unknown>)[path.key];
  const { data: ordered } = executeSync({
    schema,
    document,
    rootValue: data,
    variableValues,
    fieldResolver: read,
    // The library's only Thing.
    typeResolver: (value) => (value as { __typename?: string }).__typename ?? 'Book',
  });
  return ordered ?? {};
}

/** Runs documents on the stock gateway. */
export async function stockWay(components: readonly Component[]): Promise<Way> {
  const sdls = await Promise.all(components.map(async (c) => [c.name, await c.sdl()] as const));
  const gateway = createStockGateway(
    compose(new Map(sdls)),
    new Map(components.map((c) => [c.name, c])),
    log,
  );
  return async (source, variables = {}) => {
    const document = parse(source);
    return gateway.bind(source, document, operationNamed(document, undefined))(variables, caller);
  };
}

export async function createWays(components: readonly Component[]): Promise<Ways> {
  const supergraph = await createSupergraph({ components, permissions, log, pollMs: 0, limits: WIDE });
  const stock = await stockWay(components);
  return {
    supergraph,
    async own(source, variables = {}) {
      const operation = supergraph.prepare(source);
      const result = await operation.run(variables, caller);
      return operation.strategy === 'plan' || !result.data
        ? result
        : { ...result, data: inOrder(supergraph.state.schema, parse(source), variables, result.data) };
    },
    async planned(source, variables = {}) {
      const operation = supergraph.prepare(withIntrospection(source));
      expect(operation.strategy).not.toBe('direct');
      const { data, ...rest } = await operation.run(variables, caller);
      if (data === null || data === undefined) return { ...rest, ...(data === null ? { data } : {}) };
      const { forced, ...asked } = data;
      expect(forced).toEqual({ name: 'Query' });
      return { ...rest, data: asked };
    },
    async stock(source, variables = {}) {
      const result = await stock(source, variables);
      return {
        ...result,
        data: result.data ? inOrder(supergraph.state.schema, parse(source), variables, result.data) : null,
      };
    },
  };
}

function dataOf({ texts, data }: ComponentResult): unknown {
  if (texts === undefined) return data;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]): [string, unknown] => [key, JSON.parse(text)]),
  );
}

/** What two paths must agree on: the exact data, including key order, and the kinds of errors. */
export function essence(result: ComponentResult): { data: string; errors: unknown[] } {
  const errors = (result.errors ?? []).map(
    ({ path, extensions }) => `${String(extensions?.['code'])} at ${path?.join('.') ?? 'nowhere'}`,
  );
  const brokenOnly =
    errors.length > 0 &&
    errors.every(
      (e) => e.startsWith('NOT_FOUND at') && result.errors?.[0]?.message.startsWith('not found: '),
    );
  return {
    data: JSON.stringify(dataOf(result) ?? null),
    errors: brokenOnly ? ['NOT_FOUND for want of an object'] : errors.sort(),
  };
}
