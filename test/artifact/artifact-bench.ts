// An artifact component over a fresh database, with rows as registration and production write them.
import type { PoolClient } from 'pg';
import { parseConfig } from '../../platform/config/load-config.ts';
import type { Caller } from '../../platform/identity.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import { createArtifactComponent } from '../../subgraphs/artifact/component.ts';
import { type AskPlatform, askNobody } from '../../subgraphs/artifact/platform-port.ts';
import { viewer } from '../testkit/callers.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { notingPool } from '../testkit/noting-pool.ts';

export interface SeededRule {
  readonly name: string;
  readonly version?: number;
  readonly status?: string;
  readonly scope?: string;
  readonly previous?: number | null;
  readonly definition?: Record<string, unknown>;
}

export interface SeededProduction {
  readonly id: string;
  readonly entityType?: string;
  readonly status?: string;
  readonly rule?: string | null;
  readonly criteria?: Record<string, unknown>;
  readonly entityIds?: readonly string[];
  readonly requestedAt?: string;
}

/** An answer's data as a client reads it: a wrong assumption about its shape fails the test. */
export type Answer = Record<string, ReturnType<typeof JSON.parse>>;

export interface ArtifactBench extends AsyncDisposable {
  readonly component: LocalComponent;
  readonly statements: string[];
  seedRules(...rules: readonly SeededRule[]): Promise<void>;
  seedProductions(...productions: readonly SeededProduction[]): Promise<void>;
  sql(text: string, values?: unknown[]): Promise<void>;
  /** A connection of its own, to be released. */
  connect(): Promise<PoolClient>;
  /** Runs an operation; throws the first error with its code and text. */
  ask(source: string, variables?: Record<string, unknown>, caller?: Caller): Promise<Answer>;
}

export const DEFINITION = {
  produces: { entity_type: 'VariantStats' },
  execute: { cwl_url: 'https://example.org/stats.cwl' },
};

export async function artifactBench(ask: AskPlatform = askNobody): Promise<ArtifactBench> {
  const database = await freshDatabase();
  const statements: string[] = [];
  const component = createArtifactComponent({
    database: { pool: notingPool(database.pool, statements), listen: database.listen },
    log: testLog,
    ask,
    standing: (acting) => Promise.resolve(acting),
    workDirectory: '/nowhere/runs',
    publicUrl: () => 'https://cairn.test',
    settings: parseConfig('', '/nowhere/gateway.yaml', { env: {}, cwd: '/nowhere' }).artifact,
  });
  const sql = async (text: string, values?: unknown[]): Promise<void> => {
    await database.pool.query(text, values);
  };
  return {
    component,
    statements,
    sql,
    connect: () => database.pool.connect(),
    async seedRules(...rules) {
      for (const {
        name,
        version = 1,
        status = 'active',
        scope = 'global',
        previous = null,
        definition = {},
      } of rules) {
        await sql(
          `INSERT INTO artifact.rule (name, version, definition, status, scope, description, tags, cwl_hash, previous_version, registered_by, registered_at)
           VALUES ($1, $2, $3, $4, $5, 'words', '{qc}', 'sha256:00', $6, 'user:rita', '2026-01-31T09:30:00.000007Z')`,
          [name, version, { ...DEFINITION, ...definition, name }, status, scope, previous],
        );
      }
    },
    async seedProductions(...productions) {
      for (const {
        id,
        entityType = 'VariantStats',
        status = 'completed',
        rule = 'stats@1',
        criteria = {},
        entityIds = [],
        requestedAt = '2026-01-31T09:30:00.123456Z',
      } of productions) {
        await sql(
          `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, requested_by, requested_at)
           VALUES ($1, $2, $3, $4, $5, $1, '{"decision":"build"}', $6, 'user:rita', $7)`,
          [id, entityType, criteria, rule, status, entityIds, requestedAt],
        );
      }
    },
    async ask(source, variables = {}, caller = viewer) {
      const { data, errors } = await component.prepare(source)(variables, caller);
      const error = errors?.[0];
      if (error) throw new Error(`${String(error.extensions?.['code'])}: ${error.message}`);
      return data ?? {};
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}
