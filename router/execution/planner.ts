// The query planner over a supergraph, as both threads have it that plan: this one, and one for large documents.
import {
  type Schema as FederationSchema,
  operationFromDocument,
  Supergraph as FederationSupergraph,
} from '@apollo/federation-internals';
import { type QueryPlan, QueryPlanner } from '@apollo/query-planner';
import { type DocumentNode, parse } from 'graphql';

/** Plans that are weighed against each other for one operation: bounds the time that planning takes. */
const MAX_PLANS = 1000;

export interface Planning {
  /** What clients see, as the planner wants it. */
  readonly apiSchema: FederationSchema;
  readonly planner: QueryPlanner;
}

/** @param isChecked whether the supergraph was composed here, or by a process before: it is not validated again */
export function createPlanning(
  supergraphSdl: string,
  { isChecked }: { readonly isChecked: boolean },
): Planning {
  const supergraph = FederationSupergraph.build(parse(supergraphSdl, { noLocation: true }), {
    validateSupergraph: !isChecked,
  });
  return {
    apiSchema: supergraph.apiSchema(),
    planner: new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans: MAX_PLANS } }),
  };
}

/** @param document valid; of several operations the name says which */
export const planOperation = (
  { apiSchema, planner }: Planning,
  document: DocumentNode,
  operationName: string | undefined,
): QueryPlan =>
  planner.buildQueryPlan(
    operationFromDocument(apiSchema, document, {
      validate: false,
      ...(operationName === undefined ? {} : { operationName }),
    }),
  );
