// What the service of entities reads, whoever stores them.
import type { Identity } from '../../../platform/identity.ts';
import type { EntityRow } from '../reading/entity-record.ts';
import type { PagePlan, PageRequest, TextPage } from '../reading/page-request.ts';
import type { Moment } from '../reading/timeline.ts';
import type { EntityJson } from './entity-json.ts';
import type { ResidualReads } from './residual-page.ts';

/** The methods of the store that the service uses. */
export interface EntityQueries extends ResidualReads {
  find(id: string, identity: Identity, at: Moment): Promise<EntityRow | null>;
  findMany(ids: readonly string[], identity: Identity, at: Moment): Promise<readonly (EntityRow | null)[]>;
  textPage(request: PageRequest, json: EntityJson): Promise<TextPage>;
  total(request: PageRequest): Promise<number>;
  /** The planner's estimate of the total. */
  estimate(request: PageRequest): Promise<number>;
  planOf(request: PageRequest): Promise<PagePlan>;
}
