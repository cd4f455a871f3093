// Which media type an answer has, by what the client accepts (GraphQL over HTTP; RFC 9110, 12.5.1): lists
// with preferences are what real clients send.
import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { LRUCache } from 'lru-cache';

export const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';
/** The first is for whoever has no preference. */
const TYPES = [JSON_TYPE, RESPONSE_TYPE];

interface Accepted {
  /** The media type to answer with; undefined where none that there is will do. */
  readonly type: string | undefined;
  /**
   * Whether the client reads plain JSON alone: then a status other than 200 is, to the standard, an answer of
   * something before GraphQL, and many such clients show the status in place of the errors.
   */
  readonly isPlainAlone: boolean;
}

const ANYTHING: Accepted = { type: JSON_TYPE, isPlainAlone: false };

/** Headers of clients are few and come again and again; longer ones are looked at each time. */
const remembered = new LRUCache<string, Accepted>({ max: 500 });
const MAX_REMEMBERED_LENGTH = 500;

/** What the client accepts, by its header. */
export function accepted({ headers: { accept = '' } }: Pick<IncomingMessage, 'headers'>): Accepted {
  if (accept === '') return ANYTHING;
  const known = remembered.get(accept);
  if (known) return known;
  const negotiated = accepts({ headers: { accept } } as IncomingMessage); // it looks at headers alone
  const chosen = negotiated.types(TYPES);
  const found = {
    type: typeof chosen === 'string' ? chosen : undefined,
    isPlainAlone: chosen === JSON_TYPE && negotiated.types(RESPONSE_TYPE) === false,
  };
  if (accept.length <= MAX_REMEMBERED_LENGTH) remembered.set(accept, found);
  return found;
}
