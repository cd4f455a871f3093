// SQL of identities: the entity for the values of identity fields, and the production that made it last.
import type { Queryable } from '../../../platform/queryable.ts';

export interface IdentityKey {
  readonly entityType: string;
  /** '' for shared entities. */
  readonly project: string;
  /** Digest of the fields and their values. */
  readonly digest: string;
}

export interface ClaimedIdentity extends IdentityKey {
  readonly entityId: string;
  /** Whether the identity is new. */
  readonly isNew: boolean;
}

const columns = (keys: readonly IdentityKey[]): readonly (readonly string[])[] => [
  keys.map((k) => k.entityType),
  keys.map((k) => k.project),
  keys.map((k) => k.digest),
];

/**
 * The entity of each identity, the given one for a new identity. The rows are locked until the end of the
 * transaction, in an order that all writers share.
 */
export async function claimIdentities(
  db: Queryable,
  wanted: readonly (IdentityKey & { readonly entityId: string })[],
  productionId: string,
): Promise<ClaimedIdentity[]> {
  const { rows } = await db.query<ClaimedIdentity>(
    `INSERT INTO artifact.entity_identity AS i (entity_type, project, identity, entity_id, production_id)
     SELECT t, p, d, e, $5 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS k(t, p, d, e) ORDER BY t, p, d
     ON CONFLICT (entity_type, project, identity) DO UPDATE SET production_id = i.production_id
     RETURNING entity_type AS "entityType", project, identity AS digest, entity_id AS "entityId", xmax = 0 AS "isNew"`,
    [...columns(wanted), wanted.map((k) => k.entityId), productionId],
  );
  return rows;
}

/** Stores the entity of each identity, and the production that made it. */
export async function settleIdentities(
  db: Queryable,
  settled: readonly (IdentityKey & { readonly entityId: string })[],
  productionId: string,
): Promise<void> {
  await db.query(
    `UPDATE artifact.entity_identity i SET entity_id = k.e, production_id = $5 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS k(t, p, d, e)
     WHERE (i.entity_type, i.project, i.identity) = (k.t, k.p, k.d)`,
    [...columns(settled), settled.map((k) => k.entityId), productionId],
  );
}
