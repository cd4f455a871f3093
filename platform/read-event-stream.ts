// Reads server-sent events off a body: the other end of send-event-stream.ts.
import { StringDecoder } from 'node:string_decoder';

export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** Most characters of one event: what a component answers to one request, twice over. */
const LONGEST = 32 * 1024 * 1024;

function eventOf(block: string): SentEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, data: data.join('\n') };
}

/** Events in their order; comments (heartbeats) are passed by. Lines end as send-event-stream.ts ends them. @throws Error for an event that does not end */
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
    if (text.length > LONGEST) throw new Error('an event is too long');
  }
}
