// Reads server-sent events from a body; the counterpart of send-event-stream.ts.
import { StringDecoder } from 'node:string_decoder';

export interface SentEvent {
  readonly event: string;
  readonly data: string;
  /** Where the event has one. */
  readonly id?: string;
}

/** Maximum length of one event in characters: twice a component's maximum response to one request. */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024;

function eventOf(block: string): SentEvent | null {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id') id = value;
  }
  if (data.length === 0) return null;
  return { event, data: data.join('\n'), ...(id === undefined ? {} : { id }) };
}

/**
 * Returns the events in order and ignores comments (heartbeats). Line ends are those of send-event-stream.ts.
 * @throws Error for an event that is too long
 */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<SentEvent, void, undefined> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let searched = 0;
  for await (const chunk of body) {
    text += decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    let start = 0;
    for (let end = text.indexOf('\n\n', searched); end >= 0; end = text.indexOf('\n\n', start)) {
      const event = eventOf(text.slice(start, end));
      start = end + 2;
      if (event) yield event;
    }
    text = text.slice(start);
    searched = Math.max(0, text.length - 1);
    if (text.length > MAX_EVENT_LENGTH) throw new Error('an event of the stream is too long');
  }
}
