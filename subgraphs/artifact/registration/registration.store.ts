// SQL of registering and deprecating rules.
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { RuleDefinition } from '../rules/rule-definition.ts';

export interface NewVersion {
  readonly definition: RuleDefinition;
  readonly scope: string;
  /** Hash of the main document. */
  readonly cwlHash: string;
  /** Hash over all documents. */
  readonly workflowHash: string;
  readonly registeredBy: string;
  readonly isStatic: boolean;
  /** The request, run or production that registers it; null for a rule of a package. */
  readonly causedBy: string | null;
}

/** Runs `work` in a transaction that holds the lock on the rule's name. */
export async function holdingName<Value>(
  pool: Pick<Pool, 'connect'>,
  name: string,
  work: (db: PoolClient) => Promise<Value>,
): Promise<Value> {
  return inTransaction(pool, async (db) => {
    await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 3))', [`artifact rule ${name}`]);
    return work(db);
  });
}

/** The scopes of the rule's versions, deprecated ones included. */
export async function scopesOf(db: Queryable, name: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ scope: string }>(
    'SELECT DISTINCT scope FROM artifact.rule WHERE name = $1',
    [name],
  );
  return rows.map((row) => row.scope);
}

export async function findActiveVersion(
  db: Queryable,
  name: string,
): Promise<{ readonly version: number; readonly scope: string } | null> {
  const { rows } = await db.query<{ version: number; scope: string }>(
    `SELECT version, scope FROM artifact.rule WHERE name = $1 AND status = 'active'`,
    [name],
  );
  return rows[0] ?? null;
}

/** The newest version from a rule package, unless it was deprecated. */
export async function findStatic(
  db: Queryable,
  name: string,
): Promise<{ readonly isSame: (definition: RuleDefinition) => Promise<boolean> } | null> {
  const { rows } = await db.query<{ version: number }>(
    'SELECT max(version) AS version FROM artifact.rule WHERE name = $1 AND is_static HAVING max(version) IS NOT NULL',
    [name],
  );
  const version = rows[0]?.version;
  return version === undefined
    ? null
    : {
        async isSame(definition) {
          const {
            rows: [row],
          } = await db.query<{ same: boolean }>(
            'SELECT definition = $3::jsonb AND workflow_hash IS NOT NULL AS same FROM artifact.rule WHERE name = $1 AND version = $2',
            [name, version, JSON.stringify(definition)],
          );
          return row?.same ?? false;
        },
      };
}

export async function supersede(db: Queryable, name: string, version: number): Promise<void> {
  await db.query(`UPDATE artifact.rule SET status = 'superseded' WHERE name = $1 AND version = $2`, [
    name,
    version,
  ]);
}

/** Adds the next version and returns its number. */
export async function insertVersion(
  db: Queryable,
  { definition, scope, cwlHash, workflowHash, registeredBy, isStatic, causedBy }: NewVersion,
  status: 'active' | 'superseded',
  previous: number | null,
): Promise<number> {
  const { name, description, tags, execute } = definition;
  const { rows } = await db.query<{ version: number }>(
    `INSERT INTO artifact.rule (name, version, definition, status, scope, description, tags, cwl_hash, cwl_url, previous_version, registered_by, is_static, workflow_hash, caused_by)
     SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM artifact.rule WHERE name = $1 RETURNING version`,
    [
      name,
      JSON.stringify(definition),
      status,
      scope,
      description ?? null,
      tags ?? [],
      cwlHash,
      execute.cwl_url ?? null,
      previous,
      registeredBy,
      isStatic,
      workflowHash,
      causedBy,
    ],
  );
  return rows[0]?.version ?? 0;
}

export async function markDeprecated(
  db: Queryable,
  name: string,
  version: number,
  note: string,
): Promise<void> {
  await db.query(
    `UPDATE artifact.rule SET status = 'deprecated', deprecation_note = $3 WHERE name = $1 AND version = $2`,
    [name, version, note],
  );
}
