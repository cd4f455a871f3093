// What a read that takes the database too long is answered with: how to ask for less, never a fault of ours.
import { STATEMENT_SECONDS } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors.ts';

const QUERY_CANCELED = '57014';

/**
 * The answer.
 * @throws DomainError `validation_failed` (reason `statement_timeout`) where the database has given the
 * statement up
 */
export async function withinTime<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === QUERY_CANCELED)) throw error;
    throw new DomainError(
      'validation_failed',
      `this takes the database longer than ${STATEMENT_SECONDS} seconds; narrow it by terms that an index answers, such as entity_type and equality of a field, or ask for fewer`,
      { reason: 'statement_timeout', seconds: STATEMENT_SECONDS },
      { cause: error },
    );
  }
}
