// Staleness as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { callerAsOf } from '../../../platform/caller-with.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { readInstant } from '../../../platform/past/past.ts';
import { passedInstant } from '../../../platform/past/past.store.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { TextField } from '../../../platform/text-fields.ts';
import type { QueryStaleArgs } from '../generated/resolvers.ts';
import type { ArtifactNoun } from '../noun.ts';
import type { ProductionSlice } from '../productions/production-requests.service.ts';
import { ProductionService } from '../productions/productions.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import {
  type StaleArguments,
  type StaleListDeps,
  StaleListService,
  type StaleListSlice,
} from './stale-list.service.ts';
import { stalePageWriter } from './staleness.text.ts';
import type { StalenessSlice } from './staleness.service.ts';

interface StalenessAtSlice extends StalenessSlice {
  /** As of an instant; null for that of the operation. */
  readonly stalenessAt: (asOf: string | null) => StalenessSlice['staleness'];
}
type StalenessContext = OperationContext & StalenessAtSlice & StaleListSlice & ProductionSlice & RuleSlice;

type Wanted = QueryStaleArgs & { readonly limit: number };
const wanted = ({ entityType, rule, filter, since, limit, cursor, asOf }: Wanted): StaleArguments => ({
  entityType: entityType ?? null,
  rule: rule ?? null,
  filter: filter ?? null,
  since: readInstant(since),
  limit,
  cursor: cursor ?? null,
  asOf: readInstant(asOf),
});

const staleText: TextField<StalenessContext> = (selection) => {
  const write = stalePageWriter(selection);
  if (write === null) return null;
  return async (args, { staleResults, caller }) =>
    write(await staleResults.page(wanted(args as Wanted)), caller.budget); // the values were coerced by the SDL
};

export const staleness: ArtifactNoun<StalenessAtSlice & StaleListSlice, StalenessContext> = {
  typeDefs: readSdl('subgraphs/artifact/staleness/staleness.graphql'),
  resolvers: {
    Query: {
      staleness: (_, { entityId, asOf }, { stalenessAt }) =>
        stalenessAt(readInstant(asOf)).ofVisible(entityId),
      stale: (_, args, { staleResults }) => staleResults.page(wanted(args)),
    },
    StaleResult: { entity: ({ entityId }) => ({ id: entityId }) },
    Production: {
      staleness: (production, _, { stalenessAt }) => stalenessAt(production.asOf).of(production),
    },
    Entity: { staleness: ({ id }, _, { staleness: now }) => now.ofEntity(id) },
  },
  texts: { 'Query.stale': staleText },
  permissions: { 'Query.staleness': 'artifact:read', 'Query.stale': 'artifact:read' },
  services(deps) {
    const { staleness } = deps;
    return {
      staleness: perOperation(({ caller, productions, rules }) => staleness(caller, { productions, rules })),
      stalenessAt: perOperation((operation) => {
        const times = new Map<string, StalenessSlice['staleness']>();
        return (asOf: string | null) => {
          if (asOf === null || asOf === operation.caller.asOf) return operation.staleness;
          const then = times.get(asOf) ?? staleness(callerAsOf(operation.caller, asOf));
          times.set(asOf, then);
          return then;
        };
      }),
      staleResults: perOperation(({ caller, staleness: now, stalenessAt }) => {
        const db = readingFor(deps.pool, caller);
        const then = (asOf: string): ReturnType<StaleListDeps['then']> => ({
          productions: new ProductionService(db, callerAsOf(caller, asOf)),
          staleness: stalenessAt(asOf),
        });
        const passed: StaleListDeps['passed'] = (instant) => passedInstant(db, instant);
        const { ask, marks } = deps;
        return new StaleListService({ db, ask, marks, staleness: now, passed, then }, caller);
      }),
    };
  },
};
