// The workflow's token for the router: short-lived, from the token endpoint, renewed before it expires
// (docs/reference/workflow.md#a-separate-process).
import { DomainError } from '../../platform/errors.ts';
import type { Secret } from '../../platform/config/secret.ts';

export interface ServiceTokenOptions {
  /** The router's base URL. */
  readonly url: string;
  readonly clientId: string;
  readonly secret: Secret;
  readonly timeoutMs: number;
}

const PATH = '/api/v1/gateway/auth/token';
/** The share of its lifetime after which a token is renewed. */
const RENEW_AFTER = 0.8;

export class ServiceToken {
  readonly #options: ServiceTokenOptions;
  #current: { readonly token: string; readonly renewAt: number } | undefined;
  #asking: Promise<string> | undefined;

  constructor(options: ServiceTokenOptions) {
    this.#options = options;
  }

  /**
   * A valid token; concurrent callers share a request.
   * @throws DomainError `component_unavailable` if there is none
   */
  async get(): Promise<string> {
    if (this.#current && performance.now() < this.#current.renewAt) return this.#current.token;
    return (this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    }));
  }

  /** Reports a refused token: the next call fetches another. */
  refused(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }

  async #ask(): Promise<string> {
    const { url, clientId, secret, timeoutMs } = this.#options;
    const began = performance.now();
    let status: number | undefined;
    try {
      const response = await fetch(url + PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        body: JSON.stringify({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: secret.reveal(),
        }),
      });
      ({ status } = response);
      // each member is checked before it is used
      const answer = (await response.json()) as { access_token?: unknown; expires_in?: unknown };
      if (!response.ok || typeof answer.access_token !== 'string')
        throw new Error(`the token endpoint returned status ${status}`);
      const seconds = typeof answer.expires_in === 'number' ? answer.expires_in : 60;
      this.#current = { token: answer.access_token, renewAt: began + seconds * 1000 * RENEW_AFTER };
      return answer.access_token;
    } catch (cause) {
      throw new DomainError(
        'component_unavailable',
        'the workflow cannot get a token from the router',
        { component: 'router', upstream_status: status ?? null },
        { cause },
      );
    }
  }
}
