// What operations of clients count, by the names that clients give them.
import { NamedTallies, tallies } from '../../../platform/metrics/process-metrics.ts';

const ANONYMOUS = 'anonymous';

const counted = new NamedTallies('operation', {
  done: [
    'cairn_graphql_operations_total',
    'GraphQL operations that were answered, by name; names after the first 200 are `other`.',
  ],
  failed: [
    'cairn_graphql_operation_errors_total',
    'GraphQL operations that were answered with a status from 400, by name.',
  ],
  seconds: ['cairn_graphql_operation_seconds_total', 'Time until GraphQL operations were answered, by name.'],
  cost: ['cairn_graphql_operation_cost_total', 'Static cost of admitted GraphQL operations, by name.'],
});

const refused = tallies(
  'cairn_graphql_over_limit_total',
  'GraphQL operations that were refused because of their static cost.',
  'limit',
  ['cost'],
);

export function operationAdmitted(name: string | undefined, cost: number): void {
  counted.add(name ?? ANONYMOUS, 'cost', cost);
}

export function operationTooCostly(): void {
  refused.cost.value++;
}

/** @param status the one that a request would have had */
export function operationDone(name: string | undefined, seconds: number, status: number): void {
  const one = name ?? ANONYMOUS;
  counted.add(one, 'done', 1);
  counted.add(one, 'seconds', seconds);
  if (status >= 400) counted.add(one, 'failed', 1);
}
