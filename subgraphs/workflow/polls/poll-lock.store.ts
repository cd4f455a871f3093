// SQL that prevents two processes from polling for the same trigger at once, which would duplicate the work.
import type { Pool } from 'pg';

/** Runs the work if the lock is free; the lock lasts as long as the work or the connection. */
export async function withPollLock(
  pool: Pick<Pool, 'connect'>,
  trigger: string,
  work: () => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('workflow.poll'), hashtext($1)) AS taken",
      [trigger],
    );
    if (rows[0]?.taken === true) {
      try {
        await work();
      } finally {
        await client.query("SELECT pg_advisory_unlock(hashtext('workflow.poll'), hashtext($1))", [trigger]);
      }
    }
    broken = false;
  } finally {
    client.release(broken); // a connection that may still hold the lock is closed
  }
}
