// Opens a file or an http(s) address as a stream of bytes, with `{since}` filled in and a timeout for
// silence.
import { createReadStream } from 'node:fs';
import { AdapterFetchError, messageOf, type Pull } from './adapter.ts';
import { fetchWithin } from './fetch-within.ts';

export interface SourceSettings {
  readonly source: { readonly file: string } | { readonly url: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

const SINCE = '{since}';

/** Whether it can be asked for what has changed since a time. */
export const takesSince = ({ source }: Pick<SourceSettings, 'source'>): boolean =>
  ('file' in source ? source.file : source.url).includes(SINCE);

/** Without a time, parameters that contain `{since}` are omitted. */
export function addressAt(template: string, since: string | null): string {
  if (since !== null) return template.replaceAll(SINCE, encodeURIComponent(since));
  const [before = '', query] = template.split(/\?(.*)/s, 2);
  const kept = query?.split('&').filter((part) => !part.includes(SINCE)) ?? [];
  return before.replaceAll(SINCE, '') + (kept.length > 0 ? `?${kept.join('&')}` : '');
}

async function* chunksOf(
  url: string,
  { headers, timeoutSeconds }: SourceSettings,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const silence = new AbortController();
  const ms = timeoutSeconds * 1000;
  const timer = setTimeout(() => {
    silence.abort(new Error(`no data was received for ${timeoutSeconds} s`));
  }, ms);
  try {
    const response = await fetchWithin(url, url, headers, AbortSignal.any([signal, silence.signal]));
    if (!response.ok) throw new Error(`the server returned status ${response.status}`);
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      yield chunk as Uint8Array; // A response's body consists of these.
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** @throws AdapterFetchError if the source cannot be read, or ends early */
export async function* openSource(
  settings: SourceSettings,
  { since, signal }: Pull,
): AsyncGenerator<Uint8Array> {
  const { source } = settings;
  try {
    if ('file' in source)
      yield* createReadStream(source.file.replaceAll(SINCE, since ?? ''), {
        signal,
      }) as AsyncIterable<Uint8Array>; // Without an encoding, a stream returns buffers.
    else yield* chunksOf(addressAt(source.url, since), settings, signal);
  } catch (error) {
    if (signal.aborted || error instanceof AdapterFetchError) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
    throw new AdapterFetchError(`the source could not be read: ${messageOf(error)}${cause}`, {
      cause: error,
    });
  }
}
