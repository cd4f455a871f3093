// Unpacks the productions' arguments and makes one call each.
import type { PageBounds } from '../../../platform/paging.ts';
import type { ArtifactContext } from '../context.ts';
import type { ProductionPage } from './productions.service.ts';
import type { Production, ProductionStatus } from './productions.store.ts';

interface ProductionsArguments extends PageBounds { readonly entityType?: string | null; readonly status?: ProductionStatus | null; readonly rule?: string | null; readonly cursor?: string | null }

export const productionResolvers = {
  Query: {
    production: (_: unknown, { id }: { id: string }, { productions }: ArtifactContext) => productions.get(id),
    productions: (_: unknown, { entityType, status, rule, limit, offset, cursor }: ProductionsArguments, { productions }: ArtifactContext) =>
      productions.page({ entityType: entityType ?? null, status: status ?? null, rule: rule ?? null, limit, offset, cursor: cursor ?? null }),
  },
  ProductionPage: {
    total: (page: ProductionPage, _: unknown, { productions }: ArtifactContext) => productions.total(page),
  },
  Production: {
    productionRule: ({ rule }: Production, _: unknown, { rules }: ArtifactContext) => (rule === null ? null : rules.version(rule)),
    entities: ({ entityIds }: Production) => entityIds.map((id) => ({ id })),
  },
  Entity: {
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    producedBy: ({ id }: { id: string }, _: unknown, { productions }: ArtifactContext) => productions.ofEntity(id),
    artifacts: ({ id }: { id: string }, { field }: { field?: string | null }, { files }: ArtifactContext) => files.ofEntity(id, field ?? null),
  },
};
