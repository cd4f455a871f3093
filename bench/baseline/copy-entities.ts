// Hand-written bulk ingest: COPY of entities and their events into the same tables, the minimum work for
// PostgreSQL.
import type pg from 'pg';

export interface SentEntity {
  readonly entityType: string;
  readonly data: { readonly name: string; readonly state: string; readonly tags: readonly string[] };
}
export interface NewEntity extends SentEntity {
  readonly id: string;
}

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** COPY … FROM STDIN of one text. pg implements the protocol but provides no function for it. */
function copy(client: pg.PoolClient, text: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed: Error | undefined;
    client.query({
      submit(connection: unknown) {
        // pg passes its connection
        (connection as CopyConnection).query(text);
      }, // the connection of pg
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from(rows));
        connection.endCopyFrom();
      },
      handleCommandComplete() {
        /* the next message ends the query */
      },
      handleError(error: Error) {
        failed = error;
        reject(error);
      },
      handleReadyForQuery() {
        if (!failed) resolve();
      },
    } as pg.Submittable); // the methods that pg calls
  });
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

/** Returns the result of to_tsvector('simple', …) for plain words. */
function words(text: string): string {
  const places = new Map<string, number[]>();
  for (const [i, word] of text.toLowerCase().split(' ').entries())
    places.set(word, [...(places.get(word) ?? []), i + 1]);
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}

const COUNT = `INSERT INTO metadata.entity_count AS t (entity_type, is_available, n) SELECT type, true, n FROM unnest($1::text[], $2::bigint[]) c(type, n)
  ON CONFLICT (entity_type, project, is_available) DO UPDATE SET n = t.n + excluded.n`;

/** Inserts the entities in one transaction under the log's lock, so that their positions are consecutive. */
export async function copyEntities(
  pool: pg.Pool,
  schemaVersion: string,
  entities: readonly NewEntity[],
): Promise<void> {
  const data = entities.map((entity) => escaped(JSON.stringify(entity.data)));
  const counts = new Map<string, number>();
  for (const { entityType } of entities) counts.set(entityType, (counts.get(entityType) ?? 0) + 1);
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SELECT metadata.open_log()');
    await copy(
      client,
      'COPY metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload) FROM STDIN',
      entities
        .map(
          ({ id, entityType }, i) =>
            `EntityCreated\t${id}\t${entityType}\tuser:bench\t${schemaVersion}\t{"initial_state":${data[i] ?? ''}}\n`,
        )
        .join(''),
    );
    const {
      rows: [last],
    } = await client.query<{ position: string }>('SELECT max(position) AS position FROM metadata.provenance');
    const first = Number(last?.position) - entities.length + 1;
    await copy(
      client,
      'COPY metadata.entity (id, entity_type, data, search, first_event, state_event, last_event) FROM STDIN',
      entities
        .map(
          ({ id, entityType, data: { name, state, tags } }, i) =>
            `${id}\t${entityType}\t${data[i] ?? ''}\t${words(`${name} ${state} ${tags.join(' ')}`.replaceAll('-', ' '))}\t${first + i}\t${first + i}\t${first + i}\n`,
        )
        .join(''),
    );
    await client.query(COUNT, [[...counts.keys()], [...counts.values()]]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
