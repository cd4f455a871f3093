// The author of a write, from the caller of the request.
import type { Caller } from '../../platform/identity.ts';
import type { Author } from './log/write.ts';
import { bypassing } from './validation/bypass.ts';

/**
 * Returns the caller as the author of a write.
 * @throws DomainError `insufficient_role` for a bypass that the caller may not use
 */
export function authorOf(
  { actor, roles, projects, requestId, cause }: Caller,
  contextText: string | null,
  bypassValidation: boolean | null = false,
): Author {
  const author = {
    actor,
    roles,
    projects,
    requestId,
    ...(cause === undefined ? {} : { cause }),
    contextText,
  };
  return bypassValidation ? bypassing(author) : author;
}
