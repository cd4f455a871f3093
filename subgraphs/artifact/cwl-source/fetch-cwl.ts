// Fetches one document by URL, with a size limit and from public addresses only
// (docs/reference/artifact.md#fetching-cwl).
import { MAX_TEXT_LENGTH } from '../cwl/source.ts';
import { fetchGuarded, type FetchOptions, FetchRefused } from './guarded-fetch.ts';

export { type FetchOptions, FetchRefused } from './guarded-fetch.ts';

export interface Fetched {
  readonly bytes: Buffer;
  /** The final URL after redirects. */
  readonly url: string;
}

async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_TEXT_LENGTH) throw new FetchRefused('is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The bytes behind an http or https URL: 1 MiB, 10 s, 5 redirects at most.
 * @throws FetchRefused with the reason, which completes a sentence that begins with the URL
 */
export const fetchCwl = (address: string, options: FetchOptions): Promise<Fetched> =>
  fetchGuarded(address, options, async (body, length, url) => {
    if (length > MAX_TEXT_LENGTH) throw new FetchRefused('is larger than 1 MiB');
    // Without an encoding, a body returns buffers.
    return { bytes: await readBody(body as AsyncIterable<Buffer>), url };
  });
