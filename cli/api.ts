// Sends requests to the platform's public API and returns their JSON, or throws a Failure with the platform's
// message.
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { request as send } from 'undici';
import { isObject } from '../platform/json-object.ts';
import { ApiFailure, failureOf, unreachable } from './api-failure.ts';
import { Failure } from './failure.ts';
import type { Target } from './target.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL with encoded segments: {@link route}. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** JSON text that is sent unchanged instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses of errors whose body is an answer all the same. */
  readonly accepts?: readonly number[];
}

/** `route`/entities/${id}`` encodes each value as one path segment. */
export const route = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  parts.reduce((path, part, i) => path + encodeURIComponent(values[i - 1] ?? '') + part);

export type Json = Readonly<Record<string, unknown>>;

/** Undefined for what is not JSON, such as a proxy's page: {@link failureOf} reports it. */
function jsonOf(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

const isMissing = (json: unknown): boolean => isObject(json) && json['error'] === 'missing_token';

const withQuery = (path: string, query: ApiRequest['query'] = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(name, String(one));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
};

/** Maximum delay before a rate-limited request (429) is retried, in seconds. */
const MAX_WAIT_SECONDS = 30;

/** Milliseconds without a byte; the hash of a large file may have to be computed before an answer. */
const TRANSFER_TIMEOUT_MS = 600_000;

export interface Api {
  readonly target: Target;
  /**
   * Returns the parsed JSON body of a 2xx response. @throws ApiFailure, Failure where there is no response
   */
  call(request: ApiRequest): Promise<unknown>;
  /** Returns the body of a 2xx response as it comes. @throws as {@link call} */
  download(request: ApiRequest): Promise<Readable>;
  /** Sends content, and returns the response whatever its status. @throws Failure where there is none */
  transfer(request: TransferRequest): Promise<Transferred>;
}

/** A request that brings or takes the content of a file. */
export interface TransferRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: Readable;
  readonly signal?: AbortSignal;
}

export interface Transferred {
  readonly status: number;
  /** By its lower-case name; undefined where the response has none. */
  readonly header: (name: string) => string | undefined;
  readonly body: Readable;
  /** The failure that the response tells of. */
  readonly failure: () => Promise<ApiFailure>;
}

/** Returns the warnings of a response: from the envelope's `meta`, `extensions`, or a header. */
function warningsIn(json: unknown, header: string | string[] | undefined): readonly string[] {
  const beside = isObject(json) ? [json['meta'], json['extensions']] : [];
  if (typeof header === 'string') beside.push({ warnings: JSON.parse(header) as unknown });
  return beside.flatMap((one) =>
    isObject(one) && Array.isArray(one['warnings']) ? one['warnings'].map(String) : [],
  );
}

const isAnswer = (status: number, { accepts = [] }: ApiRequest): boolean =>
  (status >= 200 && status < 300) || accepts.includes(status);

/** @throws Failure where there is no response */
async function transferTo(
  target: Target,
  credential: () => Promise<{ authorization?: string }>,
  { method, path, headers = {}, content, signal }: TransferRequest,
): Promise<Transferred> {
  const options = {
    method,
    body: content ?? null,
    bodyTimeout: TRANSFER_TIMEOUT_MS,
    headersTimeout: TRANSFER_TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  };
  const own = { ...headers, ...(await credential()) };
  const first = await send(target.url + path, { ...options, ...target.through, headers: own }).catch(
    unreachable(target),
  );
  const elsewhere = method === 'GET' && first.statusCode === 307 ? first.headers.location : undefined;
  if (elsewhere !== undefined) await first.body.dump();
  // the store itself gives out the file: it is not to get the credential
  const {
    statusCode,
    headers: answered,
    body,
  } = elsewhere === undefined
    ? first
    : await send(String(elsewhere), { ...options, headers }).catch(unreachable(target));
  return {
    status: statusCode,
    header: (name) => {
      const value = answered[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body,
    failure: async () => failureOf(statusCode, jsonOf(await body.text())),
  };
}

/** @param warn called with each warning of a response */
export function apiOf(target: Target, warn: (warning: string) => void = () => undefined): Api {
  const credential = async (): Promise<{ authorization?: string }> => {
    const bearer = target.key ?? (await target.token?.());
    return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  };
  const once = async ({
    method = 'GET',
    path,
    query,
    body,
    text,
    headers: given = {},
  }: ApiRequest): Promise<{
    status: number;
    retryAfter: number;
    json: unknown;
    warnings: readonly string[];
  }> => {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = {
      ...given,
      accept: 'application/graphql-response+json, application/json;q=0.9',
      ...(await credential()),
    };
    const {
      statusCode: status,
      headers: answered,
      body: stream,
    } = await send(target.url + withQuery(path, query), {
      ...target.through,
      method,
      headers: content === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: content ?? null,
    });
    const json = jsonOf(await stream.text());
    const warnings = warningsIn(json, answered['x-warnings']);
    return { status, retryAfter: Number(answered['retry-after'] ?? 1), json, warnings };
  };

  return {
    target,
    async call(request) {
      for (let waits = 0; ; waits++) {
        const { status, retryAfter, json, warnings } = await once(request).catch(unreachable(target));
        if (status === 429 && waits < 10)
          await sleep(
            Math.min(Number.isFinite(retryAfter) ? Math.max(retryAfter, 0.1) : 1, MAX_WAIT_SECONDS) * 1000,
          );
        else if (isAnswer(status, request) && json !== undefined) {
          for (const warning of warnings) warn(warning);
          return json;
        } else if (
          status === 401 &&
          target.key === undefined &&
          target.token === undefined &&
          isMissing(json)
        )
          throw new ApiFailure(
            status,
            'missing_token',
            'no credential: run "cairn login", pass --key, set CAIRN_KEY, or run this command where the data directory is',
            {},
          );
        else throw failureOf(status, json);
      }
    },
    async download({ path, query, headers: given = {} }) {
      const asked = send(target.url + withQuery(path, query), {
        ...target.through,
        headers: { ...given, ...(await credential()) },
      });
      const { statusCode, headers, body } = await asked.catch(unreachable(target));
      for (const warning of warningsIn(null, headers['x-warnings'])) warn(warning);
      if (statusCode < 300) return body;
      throw failureOf(statusCode, jsonOf(await body.text()));
    },
    transfer: (request) => transferTo(target, credential, request),
  };
}

/** Returns a member of a response. @throws Failure where the response does not have the documented shape */
export function member(answer: unknown, name: string): unknown {
  if (isObject(answer) && name in answer) return answer[name];
  throw new Failure(`the server's answer has no field "${name}"`);
}

export function rows(answer: unknown, name?: string): readonly Json[] {
  const list = name === undefined ? answer : member(answer, name);
  if (Array.isArray(list)) return list.filter(isObject);
  throw new Failure(`the server's answer has no list${name === undefined ? '' : ` "${name}"`}`);
}

/** Returns the entries of an object of named objects, such as the response of `GET /triggers`. */
export function entries(answer: unknown): readonly (readonly [string, Json])[] {
  if (!isObject(answer)) throw new Failure("the server's answer is not an object");
  return Object.entries(answer).flatMap(([name, value]) => (isObject(value) ? [[name, value] as const] : []));
}
