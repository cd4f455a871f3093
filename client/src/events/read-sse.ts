// Server-sent events off a response's body, as the HTML standard reads them.

export interface SentEvent {
  /** `message` where the server names none. */
  readonly event: string;
  readonly data: string;
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

/** Events as they arrive; ends with the stream, or when the signal is aborted. A last event without its empty line is none. @throws what reading the stream throws */
export async function* readEvents(body: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<SentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = new Lines();
  let event = '';
  let data: string[] = [];
  const end = (): void => { reader.cancel().catch(() => undefined); }; // a stream that has failed fails the reading below just so
  signal?.addEventListener('abort', end, { once: true });
  try {
    for (; signal?.aborted !== true;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const line of lines.take(decoder.decode(value, { stream: true }))) {
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
  } finally {
    signal?.removeEventListener('abort', end);
    await reader.cancel();
  }
}
