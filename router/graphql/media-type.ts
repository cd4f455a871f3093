// Chooses the media type of an answer by the client's `Accept` (GraphQL over HTTP; RFC 9110, 12.5.1),
// including lists with preferences: JSON, or a table.
import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { LRUCache } from 'lru-cache';
import { essence, TABLE_FORMATS } from '../../platform/table-formats/formats.ts';
import type { TableFormat } from '../../platform/table-formats/table.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';
/** The first is the default. */
const TYPES = [JSON_TYPE, RESPONSE_TYPE];
const TABLE_TYPES = new Map(TABLE_FORMATS.map((format) => [essence(format), format]));

interface Accepted {
  /** The media type of the answer; undefined if the client accepts none of them. */
  readonly type: string | undefined;
  /** The table that the client would rather have. */
  readonly table?: TableFormat | undefined;
  /**
   * Whether the client only accepts plain JSON: then, by the standard, a status other than 200 comes from an
   * intermediary, and many such clients show the status instead of the errors.
   */
  readonly isPlainAlone: boolean;
}

const ANYTHING: Accepted = { type: JSON_TYPE, isPlainAlone: false };

/** Clients send few different headers, which are cached; longer ones are parsed each time. */
const remembered = new LRUCache<string, Accepted>({ max: 500 });
const MAX_REMEMBERED_LENGTH = 500;

/** What the client accepts, by its header. */
export function accepted({ headers: { accept = '' } }: Pick<IncomingMessage, 'headers'>): Accepted {
  if (accept === '') return ANYTHING;
  const known = remembered.get(accept);
  if (known) return known;
  const negotiated = accepts({ headers: { accept } } as IncomingMessage); // It only reads headers.
  const chosen = negotiated.types(TYPES);
  const preferred = negotiated.types([...TYPES, ...TABLE_TYPES.keys()]);
  const found = {
    type: typeof chosen === 'string' ? chosen : undefined,
    table: typeof preferred === 'string' ? TABLE_TYPES.get(preferred) : undefined,
    isPlainAlone: chosen === JSON_TYPE && negotiated.types(RESPONSE_TYPE) === false,
  };
  if (accept.length <= MAX_REMEMBERED_LENGTH) remembered.set(accept, found);
  return found;
}
