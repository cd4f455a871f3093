// Making stale results anew as a noun of the artifact subgraph.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import type { ResolutionSlice } from '../planning/resolution.service.ts';
import type { ProductionSlice } from '../productions/production-requests.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import type { StaleListSlice } from '../staleness/stale-list.service.ts';
import type { StalenessSlice } from '../staleness/staleness.service.ts';
import { type RefreshFilter, RefreshService, type RefreshSlice } from './refresh.service.ts';

type RefreshContext = OperationContext &
  RefreshSlice &
  ResolutionSlice &
  ProductionSlice &
  RuleSlice &
  StalenessSlice &
  StaleListSlice;

interface FilterArguments {
  readonly entityIds?: readonly string[] | null | undefined;
  readonly entityType?: string | null | undefined;
  readonly filter?: string | null | undefined;
}
const filterOf = ({ entityIds, entityType, filter }: FilterArguments): RefreshFilter => ({
  entityIds: entityIds ?? null,
  entityType: entityType ?? null,
  filter: filter ?? null,
});

export const refresh: ArtifactNoun<RefreshSlice, RefreshContext> = {
  typeDefs: readSdl('subgraphs/artifact/refresh/refresh.graphql'),
  resolvers: {
    Query: { refreshPlan: (_, filter, { refreshing }) => refreshing.plan(filterOf(filter)) },
    Mutation: {
      refresh: (_, { planHash, ...filter }, { refreshing }) =>
        refreshing.refresh(filterOf(filter), planHash ?? null),
    },
  },
  permissions: { 'Query.refreshPlan': 'artifact:read', 'Mutation.refresh': 'artifact:produce' },
  services: ({ productions: requests }) => ({
    refreshing: perOperation(
      ({ caller, resolution, productions, rules, staleness, staleResults }) =>
        new RefreshService({ requests, resolution, productions, rules, staleness, staleResults }, caller),
    ),
  }),
};
