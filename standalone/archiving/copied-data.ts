// Receives what PostgreSQL copies to a client over a replication connection (its protocol, "Streaming Replication
// Protocol"): a base backup, and the write-ahead log as it is written.
import { Readable } from 'node:stream';
import pg from 'pg';

/** What `pg` does not declare of a connection: docs/decisions/0071. */
type Sending = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void };

/** A statement whose answer is copied: a stream of the messages, which waits for whoever reads it. */
export class CopiedData extends Readable implements pg.Submittable {
  /** Rows that came before and after what was copied. */
  readonly rows: string[][] = [];
  readonly #text: string;
  #connection: Sending | undefined;

  constructor(text: string) {
    super({ objectMode: true, highWaterMark: 64 });
    this.#text = text;
  }

  /** Answers the server, which goes on sending. */
  send(message: Buffer): void {
    this.#connection?.sendCopyFromChunk(message);
  }

  // called by pg
  submit(connection: pg.Connection): void {
    this.#connection = connection as Sending; // the members above are there
    connection.query(this.#text);
  }

  handleRowDescription(): void {
    /* columns are known */
  }

  handleDataRow({ fields }: { readonly fields: string[] }): void {
    this.rows.push(fields);
  }

  handleCommandComplete(): void {
    /* more may follow */
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // pg uses the memory of a message again
    if (!this.push(Buffer.from(chunk))) this.#connection?.stream.pause();
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** An orderly end would wait for all that is yet to be copied. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.readableEnded) this.#connection?.stream.destroy();
    done(error);
  }
}

export async function endReplication(client: pg.Client, copied: CopiedData): Promise<void> {
  copied.destroy();
  await client.end().catch(() => undefined); // it was cut off
}

/** A connection that takes statements of replication alone. @param url of a superuser */
export async function connectReplication(url: string, onError: (error: Error) => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: `${url}?replication=true`,
    application_name: 'cairn archive',
    connectionTimeoutMillis: 15_000,
  });
  client.on('error', onError);
  await client.connect();
  return client;
}
