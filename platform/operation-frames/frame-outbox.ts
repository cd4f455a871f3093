// Sends what leaves in one tick of the event loop over a connection as one piece.
import type { Duplex } from 'node:stream';

/** Bytes of frames that are copied into one piece. */
const COPIED_BYTES = 32 * 1024;

export class FrameOutbox {
  readonly #socket: Duplex;
  #waiting: Buffer[] = [];
  #bytes = 0;

  constructor(socket: Duplex) {
    this.#socket = socket.setMaxListeners(0); // each large answer that waits listens to it
  }

  /** Whether something waits for the end of this tick. */
  get isFilling(): boolean {
    return this.#waiting.length > 0;
  }

  put(frame: Buffer): void {
    this.#bytes += frame.length;
    if (this.#waiting.push(frame) === 1) setImmediate(this.#send);
  }

  /** Sends a frame behind all others; resolves when the other side has taken enough for the next one. */
  async putSlowly(frame: Buffer): Promise<void> {
    this.#send();
    if (this.#socket.destroyed || this.#socket.write(frame)) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.#socket.off('drain', go).off('close', go);
        resolve();
      };
      this.#socket.on('drain', go).on('close', go);
    });
  }

  /** Sends what waits, and ends this side of the connection. */
  end(): void {
    this.#send();
    this.#socket.end();
  }

  readonly #send = (): void => {
    const frames = this.#waiting;
    if (frames.length === 0) return;
    this.#waiting = [];
    if (this.#socket.destroyed) return;
    if (frames.length === 1 || this.#bytes > COPIED_BYTES) {
      this.#socket.cork(); // copying them together would cost more than handing on several
      for (const frame of frames) this.#socket.write(frame);
      this.#socket.uncork();
    } else this.#socket.write(Buffer.concat(frames));
    this.#bytes = 0;
  };
}
