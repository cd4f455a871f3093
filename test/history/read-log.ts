// The log as the database has it, and as a follower of the feed reads it.
import type { Queryable } from '../../platform/queryable.ts';
import { readEvents } from '../../client/src/events/read-sse.ts';
import type { ServerProcess } from '../testkit/server-process.ts';
import type { States } from './check-history.ts';

export interface Written {
  readonly entity_id: string;
  readonly n: number;
  readonly at: string;
}

/** What was written of the entities, in the order of the log. */
export async function writtenIn(database: Queryable): Promise<Written[]> {
  const { rows } = await database.query<Written>(
    `SELECT entity_id, (coalesce(payload -> 'new_state', payload -> 'initial_state') ->> 'n')::int AS n, to_char(timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
    FROM metadata.provenance WHERE event_type IN ('EntityCreated', 'EntityUpdated') AND entity_type = 'Thing' ORDER BY position`,
  );
  return rows;
}

export function statesOf(written: readonly Written[]): States {
  const states = new Map<string, number[]>();
  for (const { entity_id: id, n } of written) {
    const values = states.get(id);
    if (values === undefined) states.set(id, [n]);
    else values.push(n);
  }
  return states;
}

/** The ids of the first events of the feed, from the beginning of the log. */
export async function followed({ url, key }: ServerProcess, count: number): Promise<string[]> {
  const stop = new AbortController();
  const { body } = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: stop.signal,
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      query: 'subscription { provenanceEvents(after: "start", entityTypes: ["Thing"]) { event { id } } }',
    }),
  });
  if (body === null) throw new Error('the feed has no body');
  const seen: string[] = [];
  for await (const { event, data } of readEvents(body)) {
    if (event === 'next')
      seen.push(
        (JSON.parse(data) as { data: { provenanceEvents: { event: { id: string } } } }).data.provenanceEvents
          .event.id,
      );
    if (seen.length === count) break;
  }
  stop.abort();
  return seen;
}

/** The ids of all events of the entities. */
export async function idsIn(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM metadata.provenance WHERE entity_type = 'Thing' ORDER BY position`,
  );
  return rows.map(({ id }) => id);
}
