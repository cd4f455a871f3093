// Which of an entity's events a scoped actor sees: none that tells of an entity of another project (contract 1.3), as SQL.
import type { Identity } from '../../../platform/identity.ts';
import { visibleSql } from '../entities/visibility.ts';

/** The entity that an event in the row `p` tells of beside its own; null where there is none. A relationship's id is `<source>-><target>:<type>`. */
const OTHER = `CASE p.event_type
  WHEN 'RelationshipCreated' THEN p.payload ->> 'to_id'
  WHEN 'RelationshipRemoved' THEN substr(p.payload ->> 'relationship_id', length(p.entity_id) + 3, length(p.payload ->> 'relationship_id') - length(p.entity_id) - length(p.payload ->> 'relationship') - 3)
  WHEN 'EntitySuperseded' THEN p.payload ->> 'superseded_by_id'
  WHEN 'EntityUpdated' THEN p.payload ->> 'supersedes' END`;

/** A condition over `p`, a row of metadata.provenance whose entity may be seen; appends its parameters. */
export function visibleEventSql(identity: Pick<Identity, 'projects'>, params: unknown[]): string {
  if (identity.projects === '*') return 'true';
  return `NOT EXISTS (SELECT 1 FROM metadata.entity o WHERE o.id = ${OTHER} AND NOT ${visibleSql(identity, 'o', params)})`;
}
