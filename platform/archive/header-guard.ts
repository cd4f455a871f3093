// Bounds what the headers of a tar archive take: they are held in memory before their entry begins.
import { Transform } from 'node:stream';

/** Maximum bytes of headers before one entry. */
const MAX_HEADER_BYTES = 4 * 1024 * 1024;

/**
 * Stands before the reader of the archive, and is told what is content. What nobody has taken yet counts as headers: the
 * archive comes in small pieces, as files and pipes are read.
 */
export class HeaderGuard {
  readonly stream: Transform;
  #read = 0;
  #content = 0;
  #before = 0;

  /** @param refuse makes the error */
  constructor(refuse: (message: string) => Error) {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#read += chunk.length;
        if (this.#read - this.#content - this.#before > MAX_HEADER_BYTES)
          done(refuse('has headers that are too long'));
        else done(null, chunk);
      },
    });
  }

  /** The content of an entry that begins now. */
  counted(entry: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    this.#before = this.#read - this.#content;
    return this.#chunks(entry);
  }

  async *#chunks(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of entry) {
      this.#content += chunk.length;
      yield chunk;
    }
  }
}
