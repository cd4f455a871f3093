// Sends GraphQL operations with a credential and retries, and returns their data or throws one of the
// client's exceptions.
import type { CallOptions } from '../call-options.ts';
import { atLeastZero, type RetryPolicy, type Settings } from '../client-options.ts';
import type { Explain } from '../errors/absent-entity.ts';
import { errorOf, type Fault } from '../errors/map-fault.ts';
import { MetadataError } from '../errors/metadata-error.ts';
import { UnauthorizedError } from '../errors/transport-errors.ts';
import { assertStorable } from '../json-data.ts';
import { attempt } from './attempt.ts';
import { type GraphqlAnswer, type HttpAnswer, readGraphql, readHttp } from './read-answer.ts';
import { delayBefore, pause, type Safety } from './retry.ts';
import { untilAborted } from './until-aborted.ts';

export type Variables = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly document: string;
  readonly safety: Safety;
  readonly explain?: Explain | undefined;
}

/** A failed request: its error and the delay that the server requested before a retry. */
interface Failed {
  readonly error: MetadataError;
  readonly retryAfterSeconds: number | null;
}

export class Transport {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The URL of the GraphQL endpoint. */
  get url(): string {
    return `${this.#settings.url}/graphql`;
  }

  /** Whether an expired token may be replaced by another. */
  get isRenewable(): boolean {
    return this.#settings.isRenewable;
  }

  get retry(): RetryPolicy {
    return this.#settings.retry;
  }

  /** Timeout of one attempt in milliseconds. */
  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  /** Returns the response's `data`. @throws MetadataError or a subclass; the signal's reason */
  async send<Data>(operation: Operation, variables: Variables, options: CallOptions = {}): Promise<Data> {
    assertStorable(variables);
    return this.sendText(operation, JSON.stringify({ query: operation.document, variables }), options);
  }

  /** The same with a serialized request body. */
  async sendText<Data>(
    { safety, explain }: Operation,
    body: string,
    { signal, timeoutMs = this.#settings.timeoutMs }: CallOptions,
  ): Promise<Data> {
    for (let failed = 1; ; failed++) {
      const outcome = await this.#once(body, { signal, timeoutMs }, explain);
      if ('data' in outcome) return outcome.data as Data; // the operation's document determines the type
      const delay = delayBefore(
        this.#settings.retry,
        safety,
        failed,
        outcome.error,
        outcome.retryAfterSeconds,
      );
      if (delay === null) throw outcome.error;
      await pause(delay, signal);
    }
  }

  /** Returns the headers of a request with its credential. `rejected` is a token to be replaced. */
  async headers(
    signal: AbortSignal | undefined,
    rejected?: string,
  ): Promise<{ readonly headers: Record<string, string>; readonly token: string | undefined }> {
    const { token: ask, project } = this.#settings;
    signal?.throwIfAborted();
    const token = await untilAborted(Promise.resolve(ask({ rejected, signal })), signal);
    return {
      token,
      headers: {
        accept: 'application/graphql-response+json, application/json;q=0.9',
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(project === undefined ? {} : { 'x-project': project }),
      },
    };
  }

  /**
   * Returns headers with a new token after one was rejected; undefined where there is no other. A rejected
   * request had no effect, so it may be repeated.
   */
  async renewed(
    refused: string | undefined,
    error: MetadataError,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, string> | undefined> {
    if (refused === undefined || !this.#settings.isRenewable || !(error instanceof UnauthorizedError))
      return undefined;
    const { headers, token } = await this.headers(signal, refused);
    return token === refused ? undefined : headers;
  }

  /** Sends one request, without retries. @throws UnavailableError; the signal's reason */
  fetch<Result>(
    init: RequestInit,
    bounds: { timeoutMs: number; signal: AbortSignal | undefined },
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const plain: RequestInit = { method: 'POST', redirect: 'manual', credentials: 'omit' };
    atLeastZero(bounds.timeoutMs, 0, 'timeoutMs');
    return attempt(this.#settings.fetch, this.url, { ...plain, ...init }, bounds, read);
  }

  async #once(
    body: string,
    bounds: { timeoutMs: number; signal: AbortSignal | undefined },
    explain: Explain | undefined,
  ): Promise<{ data: unknown } | Failed> {
    const { headers, token } = await this.headers(bounds.signal);
    const first = await this.#post(body, headers, bounds, explain);
    if ('data' in first) return first;
    const renewed = await this.renewed(token, first.error, bounds.signal);
    return renewed === undefined ? first : this.#post(body, renewed, bounds, explain);
  }

  async #post(
    body: string,
    headers: Record<string, string>,
    bounds: { timeoutMs: number; signal: AbortSignal | undefined },
    explain: Explain | undefined,
  ): Promise<{ data: unknown } | Failed> {
    let answer: HttpAnswer | undefined;
    try {
      answer = await this.fetch({ headers, body }, bounds, readHttp);
      const read = readGraphql(answer, this.url);
      for (const warning of read.warnings) this.#settings.onWarning(warning);
      return outcomeOf(read, explain);
    } catch (error) {
      if (error instanceof MetadataError)
        return { error, retryAfterSeconds: answer?.retryAfterSeconds ?? null };
      throw error;
    }
  }
}

/** Returns the exception for a fault: the operation's own mapping, else the general one. */
export const explained = (fault: Fault, explain: Explain | undefined): MetadataError =>
  explain?.(fault) ?? errorOf(fault);

function outcomeOf(
  { data, faults }: GraphqlAnswer,
  explain: Explain | undefined,
): { data: unknown } | Failed {
  const [fault] = faults;
  return fault === undefined
    ? { data }
    : { error: explained(fault, explain), retryAfterSeconds: fault.retryAfterSeconds };
}
