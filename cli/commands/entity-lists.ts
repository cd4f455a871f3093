// Entities and provenance events as lists.
import { type Api, type Json, route } from '../api.ts';
import { type ListOptions, printList } from '../list.ts';
import { LIST, moreBelow, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

export const ENTITY_TABLE = {
  ID: 'id',
  TYPE: 'entity_type',
  VERSION: 'version',
  UPDATED: 'updated_at',
  DATA: 'data',
};

const EVENT_COLUMNS = {
  TIME: 'timestamp',
  EVENT: 'event_type',
  ACTOR: 'actor',
  PAYLOAD: 'payload',
};

/** Prints all provenance events of an entity, oldest first. */
export async function printHistory(
  session: Session,
  api: Api,
  id: string,
  options: ListOptions,
): Promise<void> {
  const path = route`/api/v1/metadata/entities/${id}/history`;
  const events = await readPages(api, { path }, LIST, { all: true });
  printList(session, options, { ...events, columns: EVENT_COLUMNS });
}

export interface SearchedBy extends ListOptions {
  readonly filter?: string;
  readonly includeUnavailable?: boolean;
  readonly asOf?: string;
  readonly limit?: number;
}

/** Prints the entities of a type that have all words, best match first. */
export async function printHits(
  session: Session,
  api: Api,
  [type, words]: readonly [type: string, words: string],
  options: SearchedBy,
): Promise<void> {
  const query = {
    entity_type: type,
    q: words,
    filter: options.filter,
    include_unavailable: options.includeUnavailable,
    as_of: options.asOf,
    limit: options.limit,
  };
  const hits = await readPages(api, { path: '/api/v1/metadata/search', query }, LIST, options);
  printList(session, options, {
    ...hits,
    columns: { ID: 'id', SCORE: (hit: Json) => Number(hit['score']).toFixed(3), DATA: 'data' },
    footer: moreBelow(hits),
  });
}
