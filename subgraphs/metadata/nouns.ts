// The nouns of the metadata subgraph.
import type { OperationContext } from '../../platform/operation-context.ts';
import { permissionsOf, type SlicesOf } from '../../platform/subgraph-module.ts';
import { aggregates } from './aggregates/aggregates.module.ts';
import { availability } from './availability/availability.module.ts';
import { basis } from './basis/basis.module.ts';
import { bulkIngest } from './bulk-ingest/bulk-ingest.module.ts';
import { causalLinks } from './causal-links/causal-links.module.ts';
import { changeFeed } from './change-feed/change-feed.module.ts';
import { differences } from './differences/differences.module.ts';
import { drs } from './drs/drs.module.ts';
import { entities } from './entities/entities.module.ts';
import { existence } from './existence/existence.module.ts';
import { exports } from './exports/exports.module.ts';
import { expand } from './expand/expand.module.ts';
import { externalIds } from './external-ids/external-ids.module.ts';
import { growth } from './growth/growth.module.ts';
import { filters } from './filter-explanations/filter-explanations.module.ts';
import { provJson } from './prov-json/prov-json.module.ts';
import { provenance } from './provenance/provenance.module.ts';
import { referenceData } from './reference-data/reference-data.module.ts';
import { references } from './references/references.module.ts';
import { relationships } from './relationships/relationships.module.ts';
import { scalars } from './scalars.module.ts';
import { schemaProposals } from './schema-proposals/schema-proposals.module.ts';
import { schemas } from './schemas/schemas.module.ts';
import { search } from './search/search.module.ts';
import { status } from './status/status.module.ts';
import { supersession } from './supersession/supersession.module.ts';
import { typed } from './typed/typed.module.ts';
import { validation } from './rehearsal/validation.module.ts';

// in the order of the subgraph's SDL
export const METADATA_NOUNS = [
  scalars,
  entities,
  schemas,
  provenance,
  availability,
  relationships,
  externalIds,
  supersession,
  referenceData,
  drs,
  search,
  expand,
  filters,
  status,
  existence,
  validation,
  bulkIngest,
  provJson,
  changeFeed,
  references,
  exports,
  aggregates,
  typed,
  schemaProposals,
  growth,
  causalLinks,
  differences,
  basis,
] as const;

export type MetadataContext = OperationContext & SlicesOf<typeof METADATA_NOUNS>;

/** The permission of each root field (the roles are in platform/permissions.ts). */
export const metadataPermissions = permissionsOf(METADATA_NOUNS);
