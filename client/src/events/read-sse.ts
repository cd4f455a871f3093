// Parses server-sent events from a response body, following the HTML standard.

export interface SentEvent {
  /** `message` where the server does not name the event. */
  readonly event: string;
  readonly data: string;
}

export interface ReadingOptions {
  /** Aborts the read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum time in milliseconds without any byte, including heartbeats, before the stream counts as lost; by
   * default there is no limit.
   */
  readonly silenceMs?: number | undefined;
  /** Called with the milliseconds after which the server asks to be connected to again. */
  readonly onRetry?: ((ms: number) => void) | undefined;
}

/** Splits a text that arrives in chunks into lines, which end in LF, CR or CRLF. */
class Lines {
  #rest = '';

  /** Adds a chunk and returns the lines that are complete. */
  take(piece: string): string[] {
    const text = this.#rest + piece;
    // The LF of a CRLF may arrive with the next chunk.
    const held = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, held).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(held);
    return lines;
  }
}

/**
 * Returns the chunks of a body until it ends or the signal is aborted.
 * @throws Error where no byte arrives for too long; the errors of the body
 */
async function* pieces(
  body: ReadableStream<Uint8Array>,
  { signal, silenceMs }: ReadingOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let isSilent = false;
  const end = (): void => {
    reader.cancel().catch(() => undefined);
  }; // an error of the stream also fails the read below
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
      if (isSilent) throw new Error(`no data was received for ${silenceMs} ms`);
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

/**
 * Returns events as they arrive; ends with the stream, or when the signal is aborted. A last event that is
 * not followed by an empty line is ignored.
 * @throws like {@link pieces}
 */
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
      else if (name === 'retry' && /^\d+$/.test(text)) options.onRetry?.(Number(text));
    }
  }
}
