// SQL of a table whose rows are a queue: they are claimed under a lease, renewed by the fence, and finished
// once (docs/decisions/0074).
import type { Queryable } from '../queryable.ts';

/** A row as its worker holds it; the fence grows each time that the row changes hands. */
export interface LeasedJob {
  readonly id: string;
  readonly fence: string;
}

/**
 * What differs between two tables. All of them have `id`, `status` (`queued`, `running`, or how it has
 * ended), `fence`, `lease_owner`, `lease_expires_at`, `started_at` and `finished_at`. The row is `r` in all SQL.
 */
export interface QueueTableOptions {
  readonly table: string;
  /** Rows are claimed in the order of this column. */
  readonly queuedAt: string;
  /** Counts how often a row was begun. */
  readonly attempts: string;
  /** Further assignments of a claim. */
  readonly onClaim: string;
  /** Undoes them for a row that was claimed and not worked. */
  readonly onGiveBack: string;
  /** The columns of a claimed row, `id` and `fence` as text among them. */
  readonly columns: string;
}

/** SQL that is added to a statement; its values go in as parameters, each under the name that `param` returns. */
export type Addition = (param: (value: unknown) => string) => string;

/** A statement's own parameters, and those of what is added to it. */
class Params {
  readonly values: unknown[];
  readonly add = (value: unknown): string => `$${this.values.push(value)}`;

  constructor(...own: unknown[]) {
    this.values = own;
  }
}

const EVERY: Addition = () => 'true';
const LEASE_FROM_NOW = `lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond'`;
const NO_LEASE = 'lease_owner = NULL, lease_expires_at = NULL';
const ENDED = `finished_at = clock_timestamp(), ${NO_LEASE}`;
const IS_HELD = `r.id = $1 AND r.fence = $2 AND r.status = 'running'`;

export class QueueTable<Job extends LeasedJob> {
  readonly #options: QueueTableOptions;

  constructor(options: QueueTableOptions) {
    this.#options = options;
  }

  /** The oldest queued rows become the owner's: each is claimed by one, whoever else claims at that time. */
  async claim(
    db: Queryable,
    owner: string,
    { most, leaseMs }: { readonly most: number; readonly leaseMs: number },
    where: Addition = EVERY,
  ): Promise<Job[]> {
    const { table, queuedAt, onClaim, columns } = this.#options;
    const params = new Params(owner, most, leaseMs);
    const { rows } = await db.query<Job>(
      `WITH next AS (
         SELECT r.id FROM ${table} r WHERE r.status = 'queued' AND ${where(params.add)} ORDER BY r.${queuedAt}, r.id LIMIT $2 FOR UPDATE SKIP LOCKED)
       UPDATE ${table} r SET status = 'running', fence = r.fence + 1, lease_owner = $1, ${LEASE_FROM_NOW}, ${onClaim}
       FROM next WHERE r.id = next.id RETURNING ${columns}`,
      params.values,
    );
    return rows;
  }

  /** Puts back what the owner has claimed without receiving the answer: whatever it does not work. */
  async giveBackUnknown(db: Queryable, owner: string, worked: readonly string[]): Promise<void> {
    const { table, onGiveBack } = this.#options;
    await db.query(
      `UPDATE ${table} r SET status = 'queued', ${NO_LEASE}, ${onGiveBack}
       WHERE r.lease_owner = $1 AND r.status = 'running' AND r.id <> ALL($2::text[])`,
      [owner, worked],
    );
  }

  /** Puts back one that is held, as if it had not been claimed. */
  async giveBack(db: Queryable, { id, fence }: LeasedJob): Promise<void> {
    const { table, onGiveBack } = this.#options;
    await db.query(
      `UPDATE ${table} r SET status = 'queued', fence = r.fence + 1, ${NO_LEASE}, ${onGiveBack} WHERE ${IS_HELD}`,
      [id, fence],
    );
  }

  /** Renews the lease. @returns false where the row is no longer held: lost, or ended by somebody */
  async renew(db: Queryable, { id, fence }: LeasedJob, leaseMs: number, set: Addition): Promise<boolean> {
    const params = new Params(id, fence, leaseMs);
    const { rowCount } = await db.query(
      `UPDATE ${this.#options.table} r SET ${LEASE_FROM_NOW}, ${set(params.add)} WHERE ${IS_HELD}`,
      params.values,
    );
    return rowCount === 1;
  }

  /** Its worker ends it. @returns null where the row is no longer held, or is another one than `where` says */
  async finish(
    db: Queryable,
    { id, fence }: LeasedJob,
    status: string,
    set: Addition,
    where: Addition = EVERY,
  ): Promise<Job | null> {
    const { table, columns } = this.#options;
    const params = new Params(id, fence, status);
    const { rows } = await db.query<Job>(
      `UPDATE ${table} r SET status = $3, ${ENDED}, ${set(params.add)} WHERE ${IS_HELD} AND ${where(params.add)} RETURNING ${columns}`,
      params.values,
    );
    return rows[0] ?? null;
  }

  /**
   * Somebody else ends it, whether or not it is worked: its worker loses it. @param id of the row, with its
   * fence where only a row that has not changed hands since is ended
   * @returns null where there was nothing to end
   */
  async end(
    db: Queryable,
    { id, fence }: Pick<LeasedJob, 'id'> & Partial<LeasedJob>,
    status: string,
    set: Addition,
  ): Promise<Job | null> {
    const { table, columns } = this.#options;
    const params = new Params(id, fence ?? null, status);
    const { rows } = await db.query<Job>(
      `UPDATE ${table} r SET status = $3, fence = r.fence + 1, ${ENDED}, ${set(params.add)}
       WHERE r.id = $1 AND ($2::bigint IS NULL OR r.fence = $2) AND r.status IN ('queued', 'running') RETURNING ${columns}`,
      params.values,
    );
    return rows[0] ?? null;
  }

  /** Puts a row back for another attempt. @returns false where it has had as many, or is no longer held */
  async requeue(
    db: Queryable,
    { id, fence }: LeasedJob,
    maxAttempts: number,
    set?: Addition,
  ): Promise<boolean> {
    const { table, attempts } = this.#options;
    const params = new Params(id, fence, maxAttempts);
    const more = set ? `, ${set(params.add)}` : '';
    const { rowCount } = await db.query(
      `UPDATE ${table} r SET status = 'queued', fence = r.fence + 1, ${NO_LEASE}${more} WHERE ${IS_HELD} AND r.${attempts} < $3`,
      params.values,
    );
    return rowCount === 1;
  }

  /**
   * Rows whose worker has let the lease run out, each locked for one who asks, until the end of its
   * transaction.
   */
  async lockAbandoned(db: Queryable, where: Addition = EVERY): Promise<Job[]> {
    const { table, columns } = this.#options;
    const params = new Params();
    const { rows } = await db.query<Job>(
      `SELECT ${columns} FROM ${table} r
       WHERE r.status = 'running' AND r.lease_expires_at < clock_timestamp() AND ${where(params.add)} FOR UPDATE SKIP LOCKED`,
      params.values,
    );
    return rows;
  }

  /** Whoever holds rows under a lease that has not ended. */
  async listOwners(db: Queryable): Promise<string[]> {
    const { rows } = await db.query<{ owner: string }>(
      `SELECT DISTINCT r.lease_owner AS owner FROM ${this.#options.table} r
       WHERE r.status = 'running' AND r.lease_owner IS NOT NULL AND r.lease_expires_at >= clock_timestamp()`,
    );
    return rows.map(({ owner }) => owner);
  }

  /** Ends the leases of workers that are known to be dead. */
  async endLeases(db: Queryable, owners: readonly string[]): Promise<void> {
    await db.query(
      `UPDATE ${this.#options.table} r SET lease_expires_at = clock_timestamp() - interval '1 millisecond'
       WHERE r.status = 'running' AND r.lease_owner = ANY($1::text[])`,
      [owners],
    );
  }
}
