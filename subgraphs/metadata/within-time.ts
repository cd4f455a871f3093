// Converts a statement timeout of a read to a refusal with advice on narrowing the request.
import { STATEMENT_SECONDS } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';

const QUERY_CANCELED = '57014';

/**
 * Returns the result.
 * @throws DomainError `validation_failed` (reason `statement_timeout`) if the database has cancelled the
 * statement for its time limit
 */
export async function withinTime<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (systemErrorCode(error) !== QUERY_CANCELED) throw error;
    throw new DomainError(
      'validation_failed',
      `the query takes the database longer than ${STATEMENT_SECONDS} seconds; narrow it with terms that an index supports, such as entity_type and equality of a field, or request fewer entities`,
      { reason: 'statement_timeout', seconds: STATEMENT_SECONDS },
      { cause: error },
    );
  }
}
