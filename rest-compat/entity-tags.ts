// Entity tags as If-Match and If-None-Match list them (RFC 9110, 8.8.3 and 13.1).
import type { RequestContext } from '../platform/request-context.ts';

/** Elements of a list may be empty (RFC 9110, 5.6.1.2). */
const LIST = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,[\s,]*|$))+$/;
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** Maximum number of tags in a list. */
const MAX_HEADER_LENGTH = 4096;

/** The tags of a list, `*` for any, null for an invalid list. */
export function entityTags(header: string): readonly string[] | '*' | null {
  if (header.trim() === '*') return '*';
  return header.length <= MAX_HEADER_LENGTH && LIST.test(header) ? header.match(TAG) : null;
}

/** Whether If-None-Match contains the tag, by weak comparison: then the client's copy is current. */
export function hasTag(header: string, tag: string): boolean {
  const tags = entityTags(header);
  return tags === '*' || (tags?.some((one) => one.replace(/^W\//, '') === tag) ?? false);
}

/**
 * The end of the text of an available entity: a change of availability, which keeps the version, must not be
 * hidden by If-None-Match.
 */
const AVAILABLE = '"is_available":true}';

/** Whether the client already has the entity: GET with an If-None-Match that contains its tag. */
export function isKnown({ req }: RequestContext, text: string, version: number | undefined): boolean {
  const sent =
    version === undefined || (req.method !== 'GET' && req.method !== 'HEAD')
      ? undefined
      : req.headers['if-none-match'];
  return sent !== undefined && text.endsWith(AVAILABLE) && hasTag(sent, `"${version}"`);
}
