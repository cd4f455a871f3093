// Resolvers of productions.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { assertOfPresent } from '../../../platform/past/as-of-fields.ts';
import type { FileSlice } from '../files/files.service.ts';
import { readInstant } from '../../../platform/past/past.ts';
import type { Changed } from '../../../platform/past/table-changes.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ResolutionSlice } from '../planning/resolution.service.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import { imagesOf, type Production } from './production.ts';
import type { ProductionSlice } from './production-requests.service.ts';

export type ProductionContext = OperationContext & ProductionSlice & FileSlice & ResolutionSlice & RuleSlice;

export const productionResolvers = {
  Mutation: {
    produceArtifact: (
      _,
      { entityType, criteria, parameters, rule, reuse, planHash, waitSeconds },
      { requests },
    ) =>
      requests.produce({
        entityType,
        criteria,
        parameters: parameters ?? null,
        rule: rule ?? null,
        reuse,
        planHash: planHash ?? null,
        waitSeconds,
      }),
    cancelProduction: (_, { id }, { requests }) => requests.cancel(id),
    setReusable: (_, { entityId, reusable, reason }, { reuse }) =>
      reuse.set(entityId, reusable, reason ?? null),
  },
  ProductionRequest: {
    decision: ({ plan }) => plan.decision,
    rule: ({ plan, production }) => production?.rule ?? plan.rule,
  },
  Query: {
    production: (_, { id, asOf }, { productions }) => productions.get(id, asOf ?? null),
    productions: (
      _,
      { entityType, status, rule, project, requestId, limit, offset, cursor, asOf },
      { productions },
    ) =>
      productions.page({
        entityType: entityType ?? null,
        status: status ?? null,
        rule: rule ?? null,
        project: project ?? null,
        requestId: requestId ?? null,
        limit,
        offset,
        cursor: cursor ?? null,
        asOf: asOf ?? null,
      }),
  },
  Subscription: {
    productionProgress: {
      subscribe: (_, { id }, { productionFollower, productions, caller }) =>
        productionFollower.follow(id, (one) => productions.get(one), caller.signal),
      resolve: (production: Production) => production,
    },
    productionChanges: {
      subscribe: (_, { entityType, project, after }, { productionChanges, caller }) =>
        productionChanges.follow(
          { entityType: entityType ?? null, project: project ?? null },
          readInstant(after, 'after'),
          caller,
        ),
      resolve: ({ changedAt: at, ...production }: Changed<Production>) => ({ at, production }),
    },
  },
  ProductionPage: {
    total: (page, _, { productions }) => productions.total(page),
  },
  Production: {
    productionRule: ({ rule, asOf }, _, { rules }) => (rule === null ? null : rules.version(rule, asOf)),
    entities: ({ entityIds }) => entityIds.map((id) => ({ id })),
    plan: (production, _, { productions }) => productions.plan(production),
    images: (production) =>
      imagesOf(production)?.map(({ image_id: imageId, ...image }) => ({ ...image, imageId })) ?? null,
    log: (production, _, { productions }) => productions.log(production),
    waiters: (production, _, { requests }) => requests.waiters(production),
  },
  Entity: {
    __resolveReference: ({ id }) => ({ id }),
    producedBy: ({ id }, _, { productions }) => productions.ofEntity(id),
    reuseRefusal: ({ id }, _, { reuse }) => reuse.refusal(id),
    artifacts: ({ id }, { field }, { files, caller }) => {
      assertOfPresent(caller.asOf, 'Entity.artifacts');
      return files.ofEntity(id, field ?? null);
    },
  },
} satisfies Resolvers<ProductionContext>;
