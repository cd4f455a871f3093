// Requests to a WES service with its credential, and its answers (docs/reference/artifact.md#wes).
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../../platform/json-object.ts';
import { mayRecover, isFull, retryAfterOf, WesFault } from './wes-fault.ts';
import type { Json } from './wes-outputs.ts';

export interface WesSettings {
  /** Base URL, ending before `/service-info`. */
  readonly url: string;
  readonly token?: { reveal(): string } | undefined;
}

const ANSWER_MS = 60_000;
/** Most of an answer, which may contain all that a workflow has written to its standard output and error. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const CONTENT_ATTEMPTS = 8;
const CONTENT_PAUSE_MS = 200;
const MAX_CONTENT_PAUSE_MS = 30_000;

/** What the service says of a refusal, by the standard's name or another. */
const saidBy = (answer: unknown): string => {
  const said = isObject(answer) ? (answer['msg'] ?? answer['detail']) : undefined;
  return typeof said === 'string' && said !== '' ? `: ${said.slice(0, 1000)}` : '';
};

export class WesHttp {
  readonly base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, token }: WesSettings) {
    this.base = url.replace(/\/+$/, '');
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
  }

  /** A URL of the service itself, which may receive its credential; null for any other. */
  own(location: string, from = ''): URL | null {
    const base = new URL(`${this.base}/${from}`);
    if (!URL.canParse(location, base.href)) return null;
    const url = new URL(location, base);
    return url.origin === base.origin && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
  }

  /**
   * Content of the service; retries while the service is busy, so that a finished run is not lost.
   * @throws WesFault
   */
  async content(url: URL, stop: AbortSignal): Promise<ReadableStream> {
    for (let attempt = 1; attempt < CONTENT_ATTEMPTS; attempt++) {
      try {
        return await this.#contentOnce(url, stop);
      } catch (fault) {
        stop.throwIfAborted();
        if (!mayRecover(fault) && !isFull(fault)) throw fault;
        const pause = fault.retryAfterMs ?? Math.min(CONTENT_PAUSE_MS * 4 ** attempt, MAX_CONTENT_PAUSE_MS);
        await sleep(pause, undefined, { signal: stop });
      }
    }
    return this.#contentOnce(url, stop);
  }

  async #contentOnce(url: URL, stop: AbortSignal): Promise<ReadableStream> {
    const response = await fetch(url.href, { headers: this.#headers, redirect: 'error', signal: stop }).catch(
      (cause: unknown) => {
        throw new WesFault(`${url.pathname} cannot be read`, null, { cause });
      },
    );
    if (!response.ok || response.body === null)
      throw new WesFault(`${url.pathname} returned status ${response.status}`, response.status, {
        retryAfterMs: retryAfterOf(response.headers),
      });
    return response.body as ReadableStream; // The types of fetch and of streams declare it separately.
  }

  /** A text of the service; null if it has none. */
  async text(url: URL): Promise<string | null> {
    try {
      const response = await fetch(url.href, {
        headers: this.#headers,
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      return response.ok ? await this.#text(response) : null;
    } catch {
      return null; // only ever a log, which nothing depends on
    }
  }

  async #text(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of response.body ?? []) {
        bytes += (chunk as Uint8Array).byteLength; // bodies are bytes
        if (bytes > MAX_ANSWER_BYTES) break;
        chunks.push(chunk as Uint8Array);
      }
    } catch (cause) {
      throw new WesFault(`${this.base} broke off its answer`, null, { cause });
    }
    if (bytes > MAX_ANSWER_BYTES)
      throw new WesFault(`${this.base} answered with more than ${MAX_ANSWER_BYTES} bytes`, response.status);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** A JSON answer. @throws WesFault */
  async call(method: string, path: string, body?: Blob, stop?: AbortSignal): Promise<Json> {
    const timeout = AbortSignal.timeout(body === undefined ? ANSWER_MS : ANSWER_MS * 60);
    const response = await fetch(this.base + path, {
      method,
      headers: { accept: 'application/json', ...this.#headers },
      redirect: 'error',
      signal: stop === undefined ? timeout : AbortSignal.any([stop, timeout]),
      ...(body === undefined ? {} : { body }),
    }).catch((cause: unknown) => {
      throw new WesFault(`${this.base} does not respond`, null, { cause });
    });
    const text = await this.#text(response);
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      answer = {}; // some return nothing, or a page, with an error
    }
    if (!response.ok)
      throw new WesFault(
        `${method} ${path.split('?')[0]} returned status ${response.status}${saidBy(answer)}`,
        response.status,
        { retryAfterMs: retryAfterOf(response.headers) },
      );
    if (typeof answer === 'string') return { run_id: answer };
    return isObject(answer) ? answer : {};
  }
}
