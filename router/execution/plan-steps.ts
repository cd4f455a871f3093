// Steps of a query plan: put together, and moved to other objects.
import type { FetchNode, PlanNode } from '@apollo/query-planner';
import { GraphQLError } from 'graphql';
import { InvalidDocument } from './invalid-document.ts';

export type PlanPath = readonly string[];

export const plannedAlone = (): InvalidDocument =>
  new InvalidDocument([
    new GraphQLError('these fields cannot be planned in one operation: request them with separate queries'),
  ]);

export const several = (
  kind: 'Parallel' | 'Sequence',
  nodes: readonly (PlanNode | undefined)[],
): PlanNode | undefined => {
  const steps = nodes.filter((node) => node !== undefined);
  return steps.length < 2 ? steps[0] : { kind, nodes: steps };
};

/** The same steps for objects at another path. */
export function moved(node: PlanNode, to: PlanPath): PlanNode {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return { ...node, nodes: node.nodes.map((one) => moved(one, to)) };
    case 'Condition':
      return {
        ...node,
        ...(node.ifClause && { ifClause: moved(node.ifClause, to) }),
        ...(node.elseClause && { elseClause: moved(node.elseClause, to) }),
      };
    case 'Flatten':
      return { ...node, path: [...to, ...node.path.slice(1)] };
    case 'Fetch':
    case 'Defer':
      throw plannedAlone();
    default:
      return node satisfies never;
  }
}

export const isPlainFetch = (node: PlanNode | undefined, component: string): node is FetchNode =>
  node?.kind === 'Fetch' &&
  node.serviceName === component &&
  !node.requires &&
  !node.inputRewrites?.length &&
  !node.outputRewrites?.length &&
  !node.contextRewrites?.length;
