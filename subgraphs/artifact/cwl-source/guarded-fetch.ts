// Fetches a URL without giving its author access to private networks
// (docs/reference/artifact.md#fetching-cwl).
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';

export interface FetchOptions {
  /** Whether an address may be connected to. */
  readonly mayConnect: (address: string) => boolean;
  /** Timeout in milliseconds for everything, redirects included. Default 10 s. */
  readonly timeoutMs?: number;
  /** Cancels it. */
  readonly signal?: AbortSignal;
  /** Resolves a host name to all its addresses; by default the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The reason why a document cannot be fetched, as a sentence for the author of the URL. */
export class FetchRefused extends Error {}

const systemResolver = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map((found) => found.address);

function readUrl(text: string, base?: string): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : null;
  if (url === null) throw new FetchRefused('is not a valid URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FetchRefused(`must be http or https, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('must not contain a user name or password');
  return url;
}

/** Rejects as soon as the signal is aborted, because name look-ups cannot be cancelled. */
const orAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', end);
    });
  });

/** The host's addresses, looked up once; all of them must be allowed. */
async function addressesOf(
  { hostname }: URL,
  { mayConnect, resolve = systemResolver }: FetchOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses =
    isIP(host) === 0
      ? await orAborted(resolve(host), signal).catch((cause: unknown) => {
          if (signal.aborted) throw cause;
          throw new FetchRefused(`has an unknown host: ${host}`, { cause });
        })
      : [host];
  if (addresses.length === 0) throw new FetchRefused(`has an unknown host: ${host}`);
  if (!addresses.every(mayConnect)) throw new FetchRefused(`has a host whose address is not public: ${host}`);
  return addresses;
}

/** Connects only to the checked addresses, whatever the name resolves to by then. */
function pinnedAgent(addresses: readonly string[], timeoutMs: number): Agent {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return new Agent({
    connect: {
      timeout: timeoutMs,
      lookup: (_host, { all }, callback) => {
        const [first] = found;
        if (all === true || first === undefined) callback(null, found);
        else callback(null, first.address, first.family);
      },
    },
  });
}

/** Receives the response; it may refuse it. `length` is the declared size in bytes, NaN if absent. */
export type Take<Value> = (body: Readable, length: number, url: string) => Promise<Value>;

/** One request: the result, or the redirect's target. */
async function fetchOnce<Value>(
  url: URL,
  options: FetchOptions,
  signal: AbortSignal,
  timeoutMs: number,
  take: Take<Value>,
): Promise<{ readonly taken: Value } | { readonly location: string }> {
  const agent = pinnedAgent(await addressesOf(url, options, signal), timeoutMs);
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
    });
    if (REDIRECTS.has(statusCode)) {
      if (typeof headers.location !== 'string')
        throw new FetchRefused(`returns status ${statusCode} without a Location header`);
      return { location: headers.location };
    }
    if (statusCode !== 200) throw new FetchRefused(`returns status ${statusCode}`);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity')
      throw new FetchRefused(`returns an unexpected content encoding: ${String(encoding)}`);
    return { taken: await take(body, Number(headers['content-length'] ?? NaN), url.href) };
  } finally {
    await agent.destroy();
  }
}

/**
 * Fetches an http or https URL: 10 s by default, 5 redirects at most. Host names are looked up once per
 * request, every address is checked, and only checked ones are connected to, also after redirects.
 * @throws FetchRefused with the reason, which completes a sentence that begins with the URL
 */
export async function fetchGuarded<Value>(
  address: string,
  options: FetchOptions,
  take: Take<Value>,
): Promise<Value> {
  const { timeoutMs = 10_000 } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    let url = readUrl(address);
    for (let redirects = 0; ; redirects++) {
      const found = await fetchOnce(url, options, signal, timeoutMs, take);
      if ('taken' in found) return found.taken;
      if (redirects === MAX_REDIRECTS) throw new FetchRefused(`redirects more than ${MAX_REDIRECTS} times`);
      url = readUrl(found.location, url.href);
    }
  } catch (cause) {
    if (cause instanceof FetchRefused) throw cause;
    options.signal?.throwIfAborted();
    if (signal.aborted) throw new FetchRefused(`does not respond within ${timeoutMs / 1000} s`, { cause });
    throw new FetchRefused('cannot be reached', { cause });
  }
}
