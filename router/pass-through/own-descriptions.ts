// Fetches the OpenAPI descriptions of components of kind `rest`, at the start and again while one has not
// answered (docs/reference/gateway.md#openapi-description).
import type { Logger } from 'pino';
import { request } from 'undici';
import { parseJson } from '../../platform/json.ts';
import { adoptDescription, type AdoptedDescription } from './adopt-description.ts';

export interface Describing {
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string;
}

/** The usual path in frameworks. */
const PATH = '/openapi.json';
const TIMEOUT = 3000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Milliseconds between two attempts. */
const AGAIN = 10_000;

async function fetched(url: string, signal: AbortSignal): Promise<unknown> {
  const { statusCode, body } = await request(url, { signal, headers: { accept: 'application/json' } });
  if (statusCode !== 200) {
    await body.dump({ limit: 65_536, signal });
    throw new Error(`status ${statusCode}`);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer; // undici's bodies are bytes
    length += bytes.length;
    if (length > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    chunks.push(bytes);
  }
  return parseJson(Buffer.concat(chunks));
}

export interface OwnDescriptions {
  /** The known descriptions by component; waits for an attempt in progress, three seconds at most. */
  known(): Promise<ReadonlyMap<string, AdoptedDescription>>;
  close(): Promise<void>;
}

/** Begins at once. A component without a description is not in the merged one. */
export function openOwnDescriptions(components: readonly Describing[], log: Logger): OwnDescriptions {
  const found = new Map<string, AdoptedDescription>();
  const stop = new AbortController();
  let attempt: Promise<void> | undefined;
  let triedAt = -Infinity;

  const ask = async ({ name, url }: Describing): Promise<void> => {
    try {
      const adopted = adoptDescription(
        name,
        `/api/v1/${name}`,
        await fetched(url + PATH, AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT)])),
      );
      if (adopted === undefined) throw new Error('the document is not an OpenAPI 3.0 or 3.1 description');
      found.set(name, adopted);
    } catch (err) {
      if (!stop.signal.aborted)
        log.debug({ err, component: name }, 'the OpenAPI description of a component could not be read');
    }
  };
  const tried = (): Promise<void> | undefined => {
    const missing = components.filter(({ name }) => !found.has(name));
    if (
      attempt === undefined &&
      missing.length > 0 &&
      !stop.signal.aborted &&
      performance.now() - triedAt >= AGAIN
    ) {
      attempt = Promise.all(missing.map(ask)).then(() => {
        attempt = undefined;
        triedAt = performance.now();
      });
    }
    return attempt;
  };
  void tried();
  return {
    async known() {
      await tried();
      return found;
    },
    async close() {
      stop.abort();
      await attempt;
    },
  };
}
