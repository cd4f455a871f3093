// SQL of productions as they are or were.
import { type PastTable, rowAt } from '../../../platform/past/past-rows.ts';

export const PRODUCTION: PastTable = { schema: 'artifact', name: 'production', key: ['id'] };

/** Its type is text: rows show it as it was given. */
export const instantOf = (parameter: string): string => `${parameter}::text::timestamptz`;

/**
 * Productions as `p`, and the table by whose rows `b` they are found and ordered: what orders them never changes, and the
 * entities of a production are noted once, when it ends.
 */
export const productionsAt = (asOf: string | null, parameter: string): string =>
  asOf === null
    ? 'artifact.production p CROSS JOIN LATERAL (SELECT p.id, p.requested_at, p.entity_ids, p.plan_hash) b'
    : `artifact.production b JOIN ${rowAt(PRODUCTION, instantOf(parameter), 'b', 'p')} ON b.requested_at <= ${instantOf(parameter)}`;
