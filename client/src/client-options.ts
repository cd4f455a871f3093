// What a client is made of, checked once: a wrong option is a ConfigError that never shows a credential.
import { ConfigError } from './errors/errors.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** What a token is wanted for. */
export interface TokenRequest {
  /** The token that the server has just refused; undefined for an ordinary request. */
  readonly rejected: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface RetryOptions {
  /** How often a failed request is sent again, default 3; 0 for never. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the first repetition, default 200; doubled each time, with jitter. */
  readonly minDelayMs?: number | undefined;
  /** The longest wait, default 20000. A server that asks for a longer one is not asked again. */
  readonly maxDelayMs?: number | undefined;
}

export interface ClientOptions {
  /** The platform's base address, for example `https://cairn.example.org`. */
  readonly url: string;
  /** An API key, `sk_…`. At most one of `apiKey`, `token` and `getToken`. */
  readonly apiKey?: string | undefined;
  /** An access token. */
  readonly token?: string | undefined;
  /** Asked for a token before every request, and once more when the server has refused it. It may well remember. */
  readonly getToken?: ((request: TokenRequest) => string | Promise<string>) | undefined;
  /** The project to work in (`X-Project`); refused where the caller is not in it. */
  readonly project?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** How often a failed request is sent again, or how in detail. Writes are sent again only where that is safe. */
  readonly retries?: number | RetryOptions | undefined;
  /** Milliseconds that one attempt may take, default 30000; 0 for any time. */
  readonly timeoutMs?: number | undefined;
  /** Told what the server would have a reader know of an answer: that an expanded list was cut, for one. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
}

export interface Settings {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: (request: TokenRequest) => string | undefined | Promise<string>;
  /** Whether a refused token may be replaced by another. */
  readonly isRenewable: boolean;
  readonly project: string | undefined;
  readonly fetch: Fetch;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly onWarning: (warning: string) => void;
}

function baseOf(sent: string): string {
  let url: URL;
  try {
    url = new URL(sent);
  } catch {
    throw new ConfigError("url must be the platform's base address, for example https://cairn.example.org");
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ConfigError(`url must begin with http:// or https://, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new ConfigError('url must not hold a credential: give it as apiKey or token');
  if (url.search !== '' || url.hash !== '')
    throw new ConfigError('url must be a base address without ? and #');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** White space around a credential (a file's last line feed) is no part of it. @throws ConfigError, not showing the text */
export function bearer(sent: unknown, name: string): string {
  const text = typeof sent === 'string' ? sent.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new ConfigError(`${name} must be a credential: visible ASCII characters without spaces`);
  return text;
}

/** Sent as a header: what a header cannot hold is refused here, where the message is ours. */
function headerText(sent: string | undefined, name: string): string | undefined {
  if (sent !== undefined && !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(sent))
    throw new ConfigError(`${name} must be visible ASCII characters`);
  return sent;
}

/** @throws ConfigError */
export function atLeastZero(sent: number | undefined, otherwise: number, name: string): number {
  const value = sent ?? otherwise;
  if (!Number.isFinite(value) || value < 0) throw new ConfigError(`${name} must be a number of at least 0`);
  return value;
}

function tokenOf({ apiKey, token, getToken }: ClientOptions): Settings['token'] {
  if ([apiKey, token, getToken].filter((given) => given !== undefined).length > 1)
    throw new ConfigError('give one of apiKey, token and getToken, not several');
  if (getToken !== undefined)
    return async (request) => bearer(await getToken(request), 'what getToken answers');
  if (apiKey === undefined && token === undefined) return () => undefined;
  const fixed = apiKey === undefined ? bearer(token, 'token') : bearer(apiKey, 'apiKey');
  return () => fixed;
}

/** @throws ConfigError */
export function settingsOf(options: ClientOptions): Settings {
  const { retries = {}, timeoutMs, project, fetch: own, getToken } = options;
  const { attempts, minDelayMs, maxDelayMs } =
    typeof retries === 'number' ? ({ attempts: retries } as RetryOptions) : retries;
  return {
    url: baseOf(options.url),
    token: tokenOf(options),
    isRenewable: getToken !== undefined,
    project: headerText(project, 'project'),
    fetch: own ?? ((input, init) => globalThis.fetch(input, init)), // looked up when it is used: browsers want it called as their own
    retry: {
      attempts: Math.floor(atLeastZero(attempts, 3, 'retries')),
      minDelayMs: atLeastZero(minDelayMs, 200, 'retries.minDelayMs'),
      maxDelayMs: atLeastZero(maxDelayMs, 20_000, 'retries.maxDelayMs'),
    },
    timeoutMs: atLeastZero(timeoutMs, 30_000, 'timeoutMs'),
    onWarning: options.onWarning ?? (() => undefined),
  };
}
