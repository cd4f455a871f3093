// Sends entities to `POST /ingest`, several at a time, and counts which were created, updated or unchanged.
import type { Api } from './api.ts';
import type { Entity } from './entity.ts';

/** An entity in the API's format. */
export interface StoredEntity {
  readonly id: string;
  readonly entity_type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly is_available: boolean;
}

export interface Page {
  readonly items: readonly StoredEntity[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface Outcome {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Returns every entity of a type by id, reading all pages. */
export async function storedEntities(api: Api, type: string): Promise<Map<string, StoredEntity>> {
  const stored = new Map<string, StoredEntity>();
  let cursor: string | null = null;
  do {
    const parameters = new URLSearchParams({
      entity_type: type,
      limit: '1000',
      include_unavailable: 'true',
      ...(cursor !== null && { cursor }),
    });
    const page: Page = await api.rest<Page>('GET', `/entities?${parameters.toString()}`);
    for (const entity of page.items) stored.set(entity.id, entity);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return stored;
}

/** Maximum number of concurrent requests: enough to keep the server busy without overloading it. */
const CONCURRENCY = 32;

/**
 * Ingests all entities. `before` has the entities stored before; `onProgress` is called with the number done
 * after each one. The first error response ends it.
 */
export async function ingestAll(
  api: Api,
  entities: readonly Entity[],
  before: ReadonlyMap<string, StoredEntity>,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const outcome = { created: 0, updated: 0, unchanged: 0 };
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let entity = entities[next++]; entity !== undefined; entity = entities[next++]) {
      const { type, id, data } = entity;
      const after = await api.rest<StoredEntity>('POST', '/ingest', { entity_type: type, id, data });
      outcome[changeOf(before.get(id), after)]++;
      onProgress(++done);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return outcome;
}

/** A write without a change writes no event, so the time of the latest event shows whether there was one. */
function changeOf(before: StoredEntity | undefined, after: StoredEntity): keyof Outcome {
  if (before === undefined) return 'created';
  return before.updated_at === after.updated_at ? 'unchanged' : 'updated';
}
