// Which media type an answer has, by what the client accepts (GraphQL over HTTP; RFC 9110, 12.5.1): lists with preferences are what real clients send.
import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { LRUCache } from 'lru-cache';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** The first is for whoever has no preference. */
const TYPES = [JSON_TYPE, 'application/graphql-response+json; charset=utf-8'];

/** Headers of clients are few and come again and again; longer ones are looked at each time. */
const remembered = new LRUCache<string, { readonly type: string | undefined }>({ max: 500 });
const LONGEST = 500;

/** The media type to answer with; undefined where none that there is will do. */
export function answerType({
  headers: { accept = '' },
}: Pick<IncomingMessage, 'headers'>): string | undefined {
  if (accept === '') return JSON_TYPE;
  const known = remembered.get(accept);
  if (known) return known.type;
  const chosen = accepts({ headers: { accept } } as IncomingMessage).types(TYPES); // it looks at headers alone
  const type = typeof chosen === 'string' ? chosen : undefined;
  if (accept.length <= LONGEST) remembered.set(accept, { type });
  return type;
}
