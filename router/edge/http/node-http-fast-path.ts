// Skips work of node:http that hardly any request needs: a stream's end without a body, and a gathered write
// of one text.
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { hasBody } from '../../../platform/read-body.ts';

/** Node's internal marks on a request; newer versions set them for `optimizeEmptyRequests`. */
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
 * Marks a request without a body as read to its end: the events `end` and `close`, which cost four turns of
 * the event loop's queue, are skipped.
 */
export function endEmptyBody(req: IncomingMessage): void {
  if (hasBody(req)) return;
  const marked = req as unknown as Marked; // All supported versions of Node have them.
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

const gather: NonNullable<Socket['_writev']> | undefined = Socket.prototype._writev; // oxlint-disable-line typescript/unbound-method -- called with its socket below

/**
 * `ServerResponse.end` corks head and body, one text, with an empty one behind it: writev, which allocates
 * memory for both first, is not needed for that.
 */
function writeWhole(this: Socket, chunks: Chunk[], done: Done): void {
  const [whole, rest] = chunks;
  if (whole !== undefined && rest !== undefined && chunks.length === 2 && rest.chunk.length === 0)
    this._write(whole.chunk, whole.encoding, done);
  else gather?.call(this, chunks, done);
}

/** Makes the connection write a text followed by an empty one as a single write. */
export function writeWholes(socket: Socket): void {
  socket._writev = writeWhole;
}
