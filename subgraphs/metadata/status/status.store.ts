// Finds out whether the database answers.
import type { Logger } from 'pino';
import { answers, type Queryable } from '../../../platform/queryable.ts';

/** A database that does not is an answer here, not an error; it is logged. */
export async function databaseAnswers(db: Queryable, log: Logger): Promise<boolean> {
  try {
    return await answers(db);
  } catch (err) {
    log.warn({ err }, 'the database does not answer');
    return false;
  }
}
