// What node:http does for every request that hardly one needs, left out: a stream's end where no body is,
// and a gathered write of one text.
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { hasBody } from '../../platform/read-body.ts';

/** Node's own marks on a request; what newer versions set for `optimizeEmptyRequests`. */
interface Marked {
  _dumped: boolean;
  readonly _readableState: {
    ended: boolean;
    endEmitted: boolean;
    destroyed: boolean;
    closed: boolean;
    closeEmitted: boolean;
  };
}

/**
 * A request without a body has been read to its end from the start: neither `end` nor `close` is told of it,
 * which costs four turns of the loop's queue.
 */
export function endEmptyBody(req: IncomingMessage): void {
  if (hasBody(req)) return;
  const marked = req as unknown as Marked; // every version of Node that we run on has them
  marked._dumped = true;
  const state = marked._readableState;
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

interface Chunk {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}
type Done = (error?: Error | null) => void;

const gather: NonNullable<Socket['_writev']> | undefined = Socket.prototype._writev; // eslint-disable-line @typescript-eslint/unbound-method -- called with its socket below

/**
 * `ServerResponse.end` corks head and body, one text, with an empty one behind it: that is no case for
 * writev, which takes memory for both first.
 */
function writeWhole(this: Socket, chunks: Chunk[], done: Done): void {
  const [whole, rest] = chunks;
  if (whole !== undefined && rest !== undefined && chunks.length === 2 && rest.chunk.length === 0)
    this._write(whole.chunk, whole.encoding, done);
  else gather?.call(this, chunks, done);
}

/** Has the connection write a text with nothing behind it as one. */
export function writeWholes(socket: Socket): void {
  socket._writev = writeWhole;
}
