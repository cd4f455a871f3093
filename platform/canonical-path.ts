// Rejects ambiguous paths and returns the canonical form that is checked and routed
// (docs/reference/gateway.md#canonical-paths).
import { badRequest, DomainError } from './errors.ts';

/** A backslash, `#`, a space, a control character, or anything outside ASCII. */
const FORBIDDEN = /[^\x21\x22\x24-\x5b\x5d-\x7e]/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
/** Escaped slash, backslash, or control character. */
const ESCAPED_TRICK = /%(?:2f|5c|[01][0-9a-f]|7f)/i;
/**
 * Escapes of characters that never need one: letters, digits, `-._~`. They are equivalent to the plain
 * characters (RFC 3986, 2.3).
 */
const NEEDLESS_ESCAPE = /%(?:3\d|[46][1-9a-f]|[57][0-9a]|2d|2e|5f|7e)/gi;

function unescapeNeedless(path: string): string {
  if (BROKEN_ESCAPE.test(path)) throw badRequest('the path has a broken percent escape');
  if (ESCAPED_TRICK.test(path))
    throw badRequest('the path has an escaped slash, backslash or control character');
  const canonical = path.replaceAll(NEEDLESS_ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape;
  });
  let decoded: string;
  try {
    decoded = decodeURIComponent(canonical);
  } catch (cause) {
    throw new DomainError('invalid_request', 'the path has escapes that are not UTF-8', {}, { cause });
  }
  if (/[\u0080-\u009f]/.test(decoded)) throw badRequest('the path has an escaped control character');
  return canonical;
}

/**
 * Returns the path to be checked and routed: escapes of unreserved characters are decoded, one trailing slash
 * is removed, and `;` is escaped, so that no component reads it as the start of a path parameter.
 * @throws DomainError `invalid_request` for everything that docs/reference/gateway.md#canonical-paths lists,
 * and for request targets that are not a path.
 */
export function canonicalPath(path: string): string {
  if (path.charCodeAt(0) !== 0x2f) throw badRequest('the request target must be a path');
  if (FORBIDDEN.test(path)) throw badRequest('the path has a character that must be escaped');
  const unescaped = path.includes('%') ? unescapeNeedless(path) : path;
  const canonical = unescaped.includes(';') ? unescaped.replaceAll(';', '%3B') : unescaped;
  if (canonical.includes('//')) throw badRequest('the path has an empty segment');
  if (canonical.includes('/.') && DOT_SEGMENT.test(canonical)) throw badRequest('the path has a dot segment');
  return canonical.length > 1 && canonical.endsWith('/') ? canonical.slice(0, -1) : canonical;
}
