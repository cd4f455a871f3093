// SQL of what a batch reads before it has the log's lock, and of the comparison under the lock.
import { BEGIN_SNAPSHOT } from '../../../platform/database/lent-connection.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { LOG_SERVER } from '../reading/log-server.ts';
import { load } from './load.store.ts';
import { type LargeData, Overtaken, type SchemaMark, SchemasChanged } from './open-log.ts';
import type { Loaded, LoadedEntity } from './pending.ts';
import type { Needs } from './write.ts';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

/** More than one statement reads in one snapshot, so that what is refused was so at one moment. */
const kinds = (needs: readonly Needs[]): number =>
  (['entities', 'heads', 'relationships', 'externalIds', 'uniques'] as const).filter((kind) =>
    needs.some((need) => (need[kind]?.length ?? 0) > 0),
  ).length;

/** The error of metadata.reads_are_outdated. */
const isOutdated = (error: unknown): boolean => systemErrorCode(error) === 'CA003';

/**
 * What has to be as it was read for a write to be right. What was there is compared; what was missing, and is written,
 * is a key of the database's own. Every change of a relationship is an event of its source, which a write that
 * changes it has read.
 */
const COMPARED = {
  entities: {
    types: ['text[]', 'bigint[]'],
    values: ({ entities }: Compared) => [entities.map((e) => e.id), entities.map((e) => e.lastEvent)],
    sql: (u: string) =>
      `SELECT FROM ${u} k(id, last) LEFT JOIN metadata.entity e ON e.id = k.id WHERE e.last_event IS DISTINCT FROM k.last`,
  },
  externalIds: {
    types: ['uuid[]'],
    values: ({ externalIds }: Compared) => [externalIds.map((x) => x.recordId)],
    sql: (u: string) =>
      `SELECT FROM ${u} k(id) LEFT JOIN metadata.external_id x ON x.id = k.id AND x.superseded_event IS NULL WHERE x.id IS NULL`,
  },
  uniques: {
    types: ['text[]', 'text[]', 'bytea[]', 'text[]'],
    values: ({ uniques }: Compared) => [
      uniques.map((v) => v.scope),
      uniques.map((v) => v.field),
      uniques.map((v) => v.hash),
      uniques.map((v) => v.entityId),
    ],
    sql: (u: string) =>
      `SELECT FROM ${u} k(s, f, h, e) LEFT JOIN metadata.unique_value v ON (v.scope_type, v.field, v.value_hash) = (k.s, k.f, k.h) WHERE v.entity_id IS DISTINCT FROM k.e`,
  },
} as const;

/** What is compared of what was read. */
export type Compared = Pick<Loaded, 'externalIds' | 'uniques'> & {
  readonly entities: readonly Pick<LoadedEntity, 'id' | 'lastEvent'>[];
};

/** @throws the database's error CA003 where something of what was there is not as it was read */
export async function compareReads(client: Queryable, read: Compared): Promise<void> {
  const compared = (['entities', 'externalIds', 'uniques'] as const).filter((kind) => read[kind].length > 0);
  if (compared.length === 0) return;
  const values: unknown[] = [];
  const differs = compared.map((kind) => {
    const { types, sql } = COMPARED[kind];
    const given: readonly unknown[] = COMPARED[kind].values(read);
    return `EXISTS (${sql(`unnest(${types.map((type, i) => `$${values.push(given[i])}::${type}`).join(', ')})`)})`;
  });
  await client.query({
    name: `log-compare ${compared.join(' ')}`,
    text: `SELECT metadata.reads_are_outdated() WHERE ${differs.join(' OR ')}`,
    values,
  });
}

/** What one batch reads ahead of the lock. */
export class ReadAhead {
  readonly #mark: SchemaMark;
  readonly #client: Queryable;
  #read: Loaded | undefined;
  /** Whether something was not as it was read. */
  isOvertaken = false;

  constructor(client: Queryable, mark: SchemaMark) {
    this.#client = client;
    this.#mark = mark;
  }

  /**
   * Call it once. @throws Overtaken for writes that need chains of successors: any entity may belong to them, so they
   * are read under the lock
   */
  async load(needs: readonly Needs[], large?: LargeData): Promise<Loaded> {
    if (needs.some(({ superseded }) => (superseded?.length ?? 0) > 0)) throw new Overtaken();
    const isOne = kinds(needs) <= 1;
    if (!isOne) this.#client.query(BEGIN_SNAPSHOT).catch(() => undefined); // so does what follows
    this.#read = await load(this.#client, needs, large);
    if (!isOne) await this.#client.query('COMMIT');
    return this.#read;
  }

  /** Sends the comparison. What is sent after it fails where it fails. */
  compare(): void {
    if (this.#read === undefined) return;
    compareReads(this.#client, this.#read).catch((fault: unknown) => {
      this.isOvertaken = isOutdated(fault);
    });
  }

  /** @throws SchemasChanged where what was decided, and is not written, was decided by other schemas */
  async assertCurrent(): Promise<void> {
    const { rows } = await this.#client.query<{ isCurrent: boolean }>({
      name: 'log-is-current',
      text: `SELECT coalesce(max(revision), 0) = $1::bigint AND ${LOG_SERVER} = $2 AS "isCurrent" FROM metadata.schema_revision`,
      values: [this.#mark.revision, this.#mark.server],
    });
    if (rows[0]?.isCurrent !== true) throw new SchemasChanged();
  }
}
