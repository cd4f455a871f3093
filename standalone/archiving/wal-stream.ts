// Follows the write-ahead log as the server writes it (PostgreSQL's protocol: START_REPLICATION), from a place that a
// replication slot keeps, and holds what has yet to be archived.
import type pg from 'pg';
import { SLOT } from './archive.store.ts';
import { CHAIN_PART_BYTES } from './chain-format.ts';
import { CopiedData, connectReplication, endReplication } from './copied-data.ts';
import { lsnText } from './lsn.ts';

const LOG_DATA = 'w'.charCodeAt(0);
const KEEP_ALIVE = 'k'.charCodeAt(0);
/** Kind, place of the data, end of the log, the server's clock. */
const DATA_HEADER = 25;
/** Less than the server's `wal_sender_timeout`, a minute. */
const STATUS_MS = 10_000;

export interface WalPiece {
  readonly from: bigint;
  readonly to: bigint;
  readonly content: Buffer;
}

export class WalStream {
  readonly #client: pg.Client;
  readonly #copied: CopiedData;
  readonly #status: NodeJS.Timeout;
  #waiting: Buffer[] = [];
  #from: bigint;
  #received: bigint;
  #kept: bigint;
  #fault: Error | undefined;

  private constructor(client: pg.Client, copied: CopiedData, from: bigint, kept: bigint) {
    this.#client = client;
    this.#copied = copied;
    this.#from = from;
    this.#received = from;
    this.#kept = kept;
    copied.on('readable', () => {
      this.#take();
    });
    copied.on('error', (error) => (this.#fault ??= error));
    copied.on('end', () => (this.#fault ??= new Error('the server ended the stream of its log')));
    this.#status = setInterval(() => {
      this.#tell();
    }, STATUS_MS);
    this.#status.unref();
  }

  /** @param kept what the slot goes on to keep, until more is confirmed */
  static async open(url: string, timeline: number, from: bigint, kept: bigint): Promise<WalStream> {
    let lost: Error | undefined;
    const client = await connectReplication(url, (error) => {
      lost = error;
      copied?.destroy(error);
    });
    const copied: CopiedData | undefined = new CopiedData(
      `START_REPLICATION SLOT ${SLOT} PHYSICAL ${lsnText(from)} TIMELINE ${timeline}`,
    );
    if (lost !== undefined) throw lost;
    const stream = new WalStream(client, copied, from, kept);
    client.query(copied);
    return stream;
  }

  /** Up to here the log is held, or was taken. */
  get received(): bigint {
    return this.#received;
  }

  get isFull(): boolean {
    return this.#received - this.#from >= CHAIN_PART_BYTES;
  }

  /** @throws what ended it */
  assertAlive(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  #take(): void {
    while (!this.isFull) {
      const message: unknown = this.#copied.read();
      if (!Buffer.isBuffer(message)) return;
      if (message[0] === KEEP_ALIVE && message[17] === 1) this.#tell();
      if (message[0] !== LOG_DATA) continue;
      const at = message.readBigUInt64BE(1);
      if (at !== this.#received) {
        this.#copied.destroy(
          new Error(`the log goes on at ${lsnText(at)} instead of ${lsnText(this.#received)}`),
        );
        return;
      }
      this.#waiting.push(message.subarray(DATA_HEADER));
      this.#received += BigInt(message.length - DATA_HEADER);
    }
  }

  /** Written, flushed and applied: what is kept. */
  #tell(): void {
    const message = Buffer.alloc(34);
    message.write('r', 0, 'latin1');
    for (const at of [1, 9, 17]) message.writeBigUInt64BE(this.#kept, at);
    this.#copied.send(message);
  }

  /** What is held; it stays so until it is dropped. */
  held(): WalPiece {
    const content = Buffer.concat(this.#waiting);
    this.#waiting = [content];
    return { from: this.#from, to: this.#received, content };
  }

  /** Drops what was held. */
  drop({ to, content }: WalPiece): void {
    const [all = Buffer.alloc(0), ...later] = this.#waiting;
    this.#waiting = [all.subarray(content.length), ...later];
    this.#from = to;
    this.#take();
  }

  /** The server need not keep what is before this place. */
  confirm(kept: bigint): void {
    this.#kept = kept;
    this.#tell();
  }

  async close(): Promise<void> {
    clearInterval(this.#status);
    await endReplication(this.#client, this.#copied);
  }
}
