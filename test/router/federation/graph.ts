// A federated graph for tests: subgraphs in this process or behind HTTP, and every execution path of a
// document.
import { type GraphQLSchema, parse, visit } from 'graphql';
import type { Component, ComponentResult } from '../../../platform/component.ts';
import type { Permission } from '../../../platform/permissions.ts';
import { DEFAULT_DOCUMENT_LIMITS } from '../../../router/execution/document-limits.ts';
import { type RouterOperation } from '../../../router/execution/prepare-operation.ts';
import { createSupergraph } from '../../../router/execution/supergraph.ts';
import { caller, component, log } from '../library.ts';
import { overHttp } from '../over-http.ts';
import { stockWay, type Way, withIntrospection } from '../ways.ts';

export interface Subgraph {
  /** Without the link to the federation specification, which is added to every subgraph. */
  readonly typeDefs: string;
  readonly resolvers: Readonly<Record<string, object>>;
}

export interface Answer {
  readonly data: unknown;
  /** `CODE at place`, sorted. */
  readonly errors?: readonly string[];
}

export interface Document {
  readonly source: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly strategy?: RouterOperation['strategy'];
  /** What the specification requires, and why the stock gateway's answer differs. */
  readonly instead?: Answer & { readonly why: string };
  /** The expected answer, for the reader, and in case both executors are wrong alike. */
  readonly answer?: Answer;
  /** Why the planner, which is the stock gateway's, cannot plan it. */
  readonly unplannable?: string;
}

export interface Graph {
  readonly name: string;
  readonly subgraphs: Readonly<Record<string, Subgraph>>;
  readonly documents: readonly Document[];
  /** Argument name → literals for random documents. */
  readonly literals?: Readonly<Record<string, readonly string[]>>;
}

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@interfaceObject"])';

type Table = Record<`Query.${string}`, Permission>;

const queryName = (typeDefs: string): string => /schema \{ query: (\w+)/.exec(typeDefs)?.[1] ?? 'Query';

/** Readers may use every root field. */
function permissionsOf(typeDefs: string, prefix: string): Table {
  const table: Record<string, Permission> = {};
  visit(parse(typeDefs), {
    ObjectTypeDefinition: ({ name, fields }) => {
      for (const field of fields ?? [])
        if (name.value === queryName(typeDefs)) table[`${prefix}.${field.name.value}`] = 'metadata:read';
    },
  });
  return table;
}

const componentOf = (name: string, { typeDefs, resolvers }: Subgraph): Component =>
  component({
    name,
    typeDefs: `${LINK}
${typeDefs}`,
    resolvers,
    permissions: permissionsOf(typeDefs, queryName(typeDefs)),
  });

export interface OpenGraph {
  readonly schema: GraphQLSchema;
  strategyOf(source: string): RouterOperation['strategy'];
  /** The path that the router chooses. */
  readonly own: Way;
  /** Never directly to one subgraph: introspection beside the data needs a plan. */
  readonly planned: Way;
  readonly stock: Way;
  close(): Promise<void>;
}

/** Space for random documents. */
const LIMITS = { ...DEFAULT_DOCUMENT_LIMITS, rootFields: 200, fields: 5000, aliases: 1000 };

export async function openGraph({ subgraphs }: Graph, isRemote: boolean): Promise<OpenGraph> {
  const local = Object.entries(subgraphs).map(([name, subgraph]) => componentOf(name, subgraph));
  const served = isRemote ? await Promise.all(local.map(overHttp)) : [];
  const components = isRemote ? served.map(({ component }) => component) : local;
  const permissions = Object.assign(
    {},
    ...Object.values(subgraphs).map(({ typeDefs }) => permissionsOf(typeDefs, 'Query')),
  ) as Record<string, Permission>; // Each is a table of that shape.
  const supergraph = await createSupergraph({ components, permissions, log, pollMs: 0, limits: LIMITS });
  return {
    schema: supergraph.state.schema,
    strategyOf: (source) => supergraph.prepare(source).strategy,
    own: (source, variables = {}) => supergraph.prepare(source).run(variables, caller),
    async planned(source, variables = {}) {
      const { data, ...rest } = await supergraph.prepare(withIntrospection(source)).run(variables, caller);
      const { forced: _, ...asked } = data ?? {};
      return data ? { ...rest, data: asked } : { ...rest, ...(data === null ? { data } : {}) };
    },
    stock: await stockWay(components),
    async close() {
      supergraph.close();
      await Promise.all(served.map((one) => one.close()));
    },
  };
}

/**
 * What two paths must agree on: the data, and the kinds of errors. For missing non-null objects, one error
 * counts like several.
 */
export function essence(result: ComponentResult): Answer {
  const errors = (result.errors ?? []).map(({ message, path, extensions }) =>
    message.startsWith('not found: ')
      ? 'NOT_FOUND for want of an object'
      : `${String(extensions?.['code'])} at ${path?.join('.') ?? 'nowhere'}`,
  );
  const data = JSON.parse(JSON.stringify(result.data ?? null)) as unknown;
  return errors.length === 0 ? { data } : { data, errors: [...new Set(errors)].sort() };
}
