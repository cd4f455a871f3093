// Bypassing validation: who may, and the mark in the provenance of the write.
import { assertAllowed } from '../../../platform/permissions.ts';
import type { Author } from '../log/write.ts';

const MARK = '"bypass_validation":true';

/**
 * The context with the mark in it, every other byte unchanged: it is the last member of the object, so that
 * nothing the caller sent can override it.
 */
export function markedContext(contextText: string | null): string {
  if (contextText === null) return `{${MARK}}`;
  const context: unknown = JSON.parse(contextText);
  if (typeof context !== 'object' || context === null || Array.isArray(context))
    return `{"context":${contextText},${MARK}}`;
  const end = contextText.lastIndexOf('}');
  return `${contextText.slice(0, end)}${Object.keys(context).length === 0 ? '' : ','}${MARK}${contextText.slice(end)}`;
}

/**
 * The same author, whose writes skip rules and configured validators.
 * @throws DomainError `insufficient_role`
 */
export function bypassing(author: Author): Author {
  assertAllowed(author, 'validation:bypass');
  return { ...author, contextText: markedContext(author.contextText), bypassValidation: true };
}
