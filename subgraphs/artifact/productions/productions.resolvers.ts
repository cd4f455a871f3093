// Unpacks the productions' arguments and makes one call each.
import type { PageBounds } from '../../../platform/paging.ts';
import type { ArtifactContext } from '../context.ts';
import type { Produced } from './production-requests.service.ts';
import type { ProductionPage } from './productions.service.ts';
import type { Production, ProductionStatus } from './productions.store.ts';

interface ProductionsArguments extends PageBounds {
  readonly entityType?: string | null;
  readonly status?: ProductionStatus | null;
  readonly rule?: string | null;
  readonly cursor?: string | null;
}

interface ProduceArguments {
  readonly entityType: string;
  readonly criteria: unknown;
  readonly parameters?: unknown;
  readonly rule?: string | null;
  readonly planHash?: string | null;
  readonly waitSeconds: number;
}
interface ReusableArguments {
  readonly entityId: string;
  readonly reusable: boolean;
  readonly reason?: string | null;
}

export const productionResolvers = {
  Mutation: {
    produceArtifact: (
      _: unknown,
      { entityType, criteria, parameters, rule, planHash, waitSeconds }: ProduceArguments,
      { requests }: ArtifactContext,
    ) =>
      requests.produce({
        entityType,
        criteria,
        parameters: parameters ?? null,
        rule: rule ?? null,
        planHash: planHash ?? null,
        waitSeconds,
      }),
    cancelProduction: (_: unknown, { id }: { id: string }, { requests }: ArtifactContext) =>
      requests.cancel(id),
    setReusable: (
      _: unknown,
      { entityId, reusable, reason }: ReusableArguments,
      { reuse }: ArtifactContext,
    ) => reuse.set(entityId, reusable, reason ?? null),
  },
  ProductionRequest: {
    decision: ({ plan }: Produced) => plan.decision,
    rule: ({ plan, production }: Produced) => production?.rule ?? plan.rule,
  },
  Query: {
    production: (_: unknown, { id }: { id: string }, { productions }: ArtifactContext) => productions.get(id),
    productions: (
      _: unknown,
      { entityType, status, rule, limit, offset, cursor }: ProductionsArguments,
      { productions }: ArtifactContext,
    ) =>
      productions.page({
        entityType: entityType ?? null,
        status: status ?? null,
        rule: rule ?? null,
        limit,
        offset,
        cursor: cursor ?? null,
      }),
  },
  ProductionPage: {
    total: (page: ProductionPage, _: unknown, { productions }: ArtifactContext) => productions.total(page),
  },
  Production: {
    productionRule: ({ rule }: Production, _: unknown, { rules }: ArtifactContext) =>
      rule === null ? null : rules.version(rule),
    entities: ({ entityIds }: Production) => entityIds.map((id) => ({ id })),
    waiters: ({ id }: Production, _: unknown, { requests }: ArtifactContext) => requests.waiters(id),
  },
  Entity: {
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    producedBy: ({ id }: { id: string }, _: unknown, { productions }: ArtifactContext) =>
      productions.ofEntity(id),
    reuseRefusal: ({ id }: { id: string }, _: unknown, { reuse }: ArtifactContext) => reuse.refusal(id),
    artifacts: ({ id }: { id: string }, { field }: { field?: string | null }, { files }: ArtifactContext) =>
      files.ofEntity(id, field ?? null),
  },
};
