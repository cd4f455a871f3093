// Server-sent events off a response's body, as the HTML standard reads them.

export interface SentEvent {
  /** `message` where the server names none. */
  readonly event: string;
  readonly data: string;
}

export interface ReadingOptions {
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time in milliseconds without a single byte, heartbeats included, before the stream counts as lost; any time unless given. */
  readonly silenceMs?: number | undefined;
}

/** Lines of a text that comes in pieces; they end in LF, CR or both. */
class Lines {
  #rest = '';

  /** The lines that are whole now. */
  take(piece: string): string[] {
    const text = this.#rest + piece;
    const held = text.endsWith('\r') ? text.length - 1 : text.length; // the LF of a CRLF may come with the next piece
    const lines = text.slice(0, held).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(held);
    return lines;
  }
}

/** Pieces of a body, until it ends or the signal is aborted. @throws Error where it is silent for too long; what reading it throws */
async function* pieces(
  body: ReadableStream<Uint8Array>,
  { signal, silenceMs }: ReadingOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let isSilent = false;
  const end = (): void => {
    reader.cancel().catch(() => undefined);
  }; // a stream that has failed fails the reading below just so
  const giveUp = (): void => {
    isSilent = true;
    end();
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    while (signal?.aborted !== true) {
      const timer = silenceMs === undefined ? undefined : setTimeout(giveUp, silenceMs);
      const { done, value } = await reader.read().finally(() => {
        clearTimeout(timer);
      });
      if (isSilent) throw new Error(`nothing has come for ${silenceMs} ms`);
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** Events as they arrive; ends with the stream, or when the signal is aborted. A last event without its empty line is none. @throws like {@link pieces} */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  options: ReadingOptions = {},
): AsyncGenerator<SentEvent, void, undefined> {
  const decoder = new TextDecoder();
  const lines = new Lines();
  let event = '';
  let data: string[] = [];
  for await (const piece of pieces(body, options)) {
    for (const line of lines.take(decoder.decode(piece, { stream: true }))) {
      if (line === '') {
        if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
        event = '';
        data = [];
        continue;
      }
      const [, name, text = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') data.push(text);
      else if (name === 'event') event = text;
    }
  }
}
