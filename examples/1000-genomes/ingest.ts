// Sends entities to `POST /ingest`, several at a time, and tells which were new, which changed and which were there already.
import type { Api } from './api.ts';
import type { Entity } from './entity.ts';

/** An entity as the API answers it. */
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

/** Every entity of a type by id, page after page. */
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

/** Requests in flight at a time: enough to keep the server busy, and few enough to be a good guest. */
const CONCURRENCY = 32;

/** Ingests all of them. `before` is what was stored; `onProgress` is told after each how many are done. The first refusal ends it. */
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

/** A write that changes nothing writes no event, so the time of the latest event tells. */
function changeOf(before: StoredEntity | undefined, after: StoredEntity): keyof Outcome {
  if (before === undefined) return 'created';
  return before.updated_at === after.updated_at ? 'unchanged' : 'updated';
}
