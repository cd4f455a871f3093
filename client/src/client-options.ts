// Checks the options of a client. An invalid option is a ConfigError whose message never contains a
// credential.
import { ConfigError } from './errors/errors.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** The reason why `getToken` is called. */
export interface TokenRequest {
  /** The token that the server has just rejected; undefined for an ordinary request. */
  readonly rejected: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface RetryOptions {
  /** Maximum number of retries of a failed request, default 3; 0 disables retries. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the first retry, default 200; doubled for each further retry, with jitter. */
  readonly minDelayMs?: number | undefined;
  /**
   * Maximum delay in milliseconds, default 20000. Where the server requests a longer one, the client does not
   * retry.
   */
  readonly maxDelayMs?: number | undefined;
}

export interface ClientOptions {
  /** The platform's base URL, for example `https://cairn.example.org`. */
  readonly url: string;
  /** An API key, `sk_…`. At most one of `apiKey`, `token` and `getToken` may be set. */
  readonly apiKey?: string | undefined;
  /** An access token. */
  readonly token?: string | undefined;
  /**
   * Called for a token before every request, and once more when the server has rejected the token. It may
   * cache tokens.
   */
  readonly getToken?: ((request: TokenRequest) => string | Promise<string>) | undefined;
  /** The project to work in (`X-Project`). The server rejects it where the caller is not a member. */
  readonly project?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /**
   * The number of retries of a failed request, or the full retry settings. Writes are only retried where that
   * is safe.
   */
  readonly retries?: number | RetryOptions | undefined;
  /** Timeout of one attempt in milliseconds, default 30000; 0 disables it. */
  readonly timeoutMs?: number | undefined;
  /** Called with each warning of the server, for example that an expanded list was truncated. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
}

export interface Settings {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: (request: TokenRequest) => string | undefined | Promise<string>;
  /** Whether a rejected token may be replaced by another. */
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
    throw new ConfigError('url must not contain a credential: pass it as apiKey or token');
  if (url.search !== '' || url.hash !== '')
    throw new ConfigError('url must be a base address without ? and #');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Validates a credential. Surrounding white space, such as a file's last line feed, is removed.
 * @throws ConfigError, whose message does not contain the credential
 */
function bearer(sent: unknown, name: string): string {
  const text = typeof sent === 'string' ? sent.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new ConfigError(`${name} must be a credential: visible ASCII characters without spaces`);
  return text;
}

/** Validates a header value here, so that the client throws its own error instead of the one of `fetch`. */
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
    throw new ConfigError('give only one of apiKey, token and getToken');
  if (getToken !== undefined)
    return async (request) => bearer(await getToken(request), 'the result of getToken');
  if (apiKey === undefined && token === undefined) return () => undefined;
  const fixed = apiKey === undefined ? bearer(token, 'token') : bearer(apiKey, 'apiKey');
  return () => fixed;
}

/** @throws ConfigError */
export function settingsOf(options: ClientOptions): Settings {
  const { retries = {}, timeoutMs, project, fetch: own, getToken } = options;
  const { attempts, minDelayMs, maxDelayMs }: RetryOptions =
    typeof retries === 'number' ? { attempts: retries } : retries;
  return {
    url: baseOf(options.url),
    token: tokenOf(options),
    isRenewable: getToken !== undefined,
    project: headerText(project, 'project'),
    // Looked up at each call; browsers require `fetch` to be called as a method of the global object.
    fetch: own ?? ((input, init) => globalThis.fetch(input, init)),
    retry: {
      attempts: Math.floor(atLeastZero(attempts, 3, 'retries')),
      minDelayMs: atLeastZero(minDelayMs, 200, 'retries.minDelayMs'),
      maxDelayMs: atLeastZero(maxDelayMs, 20_000, 'retries.maxDelayMs'),
    },
    timeoutMs: atLeastZero(timeoutMs, 30_000, 'timeoutMs'),
    onWarning: options.onWarning ?? (() => undefined),
  };
}
