// SQL of the identities of entities, as they are or were: which production made each of them last.
import { rowAt, type PastTable } from '../../../platform/past/past-rows.ts';

const IDENTITY: PastTable = {
  schema: 'artifact',
  name: 'entity_identity',
  key: ['entity_type', 'project', 'identity'],
};

const own = (ids: string): string =>
  `SELECT b.entity_type, b.project, b.identity FROM artifact.entity_identity b WHERE b.entity_id = ANY(${ids})`;

/**
 * The identities of the entities, with `entity_id` and `production_id`: an identity may have stood for another entity
 * then.
 * @param ids SQL of their ids
 * @param at SQL of the instant, of which null means the present
 */
export const identitiesOf = (asOf: string | null, ids: string, at: string): string =>
  asOf === null
    ? `SELECT i.entity_id, i.production_id FROM artifact.entity_identity i WHERE i.entity_id = ANY(${ids})`
    : `SELECT i.entity_id, i.production_id FROM artifact.entity_identity b CROSS JOIN ${rowAt(IDENTITY, at, 'b', 'i')}
       WHERE (b.entity_type, b.project, b.identity) IN (${own(ids)} UNION
         SELECT b.entity_type, b.project, b.identity FROM artifact.past_state s
         JOIN artifact.entity_identity b ON b.entity_type || ' ' || b.project || ' ' || b.identity = s.key COLLATE "default"
         WHERE s.relation = 'entity_identity' AND s.state ? 'entity_id' AND s.state ->> 'entity_id' = ANY(${ids}) AND s.until > ${at})
       AND i.entity_id = ANY(${ids})`;
