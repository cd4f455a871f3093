// A client of the platform's public API: one request, its JSON, or a Failure that says what the platform said.
import { setTimeout as sleep } from 'node:timers/promises';
import { request as send } from 'undici';
import { isObject } from '../platform/json-object.ts';
import { Failure } from './failure.ts';
import type { Target } from './target.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, with its segments encoded: {@link route}. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** JSON text that is sent as it is, in place of `body`. */
  readonly text?: string;
}

/** What the platform answered instead of doing as asked. */
export class ApiFailure extends Failure {
  override name = 'ApiFailure';
  readonly status: number;

  /** @param error the platform's code; empty where the answer has only a status (metadata's envelope) */
  constructor(status: number, error: string, message: string, more: Readonly<Record<string, unknown>>) {
    super(`${message} (${[status, error].join(' ').trim()})`, {
      status,
      ...(error === '' ? {} : { error }),
      ...more,
    });
    this.status = status;
  }
}

/** `route`/entities/${id}`` with each value encoded as one path segment. */
export const route = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  parts.reduce((path, part, i) => path + encodeURIComponent(values[i - 1] ?? '') + part);

type Json = Readonly<Record<string, unknown>>;

/** GraphQL's answer to a document that it does not run: every fault on a line of its own. */
function graphqlFailure(status: number, errors: readonly unknown[]): ApiFailure {
  const faults = errors.map((error) => (isObject(error) ? error : {}));
  const first = faults[0]?.['extensions'];
  const { code, requestId } = isObject(first) ? first : {};
  return new ApiFailure(
    status,
    typeof code === 'string' ? code : '',
    faults.map(({ message }) => String(message)).join('\n'),
    { request_id: requestId, errors },
  );
}

/** All error shapes: GraphQL's (`errors` is a list), the gateway's (`error` is a code) and the metadata envelope's (`error` is an object). */
function failureOf(status: number, body: unknown): ApiFailure {
  if (!isObject(body))
    return new ApiFailure(status, 'no_json', 'the answer is not of the platform: is the address right?', {});
  if (Array.isArray(body['errors'])) return graphqlFailure(status, body['errors']);
  if (isObject(body['error'])) {
    const meta = isObject(body['meta']) ? body['meta'] : {};
    return new ApiFailure(status, '', String(body['error']['message']), { request_id: meta['request_id'] });
  }
  const violations =
    isObject(body['details']) && Array.isArray(body['details']['violations'])
      ? body['details']['violations']
      : [];
  const listed = violations.map(
    (violation: unknown) =>
      `\n  ${isObject(violation) && typeof violation['message'] === 'string' ? violation['message'] : JSON.stringify(violation)}`,
  );
  return new ApiFailure(status, String(body['error']), String(body['message']) + listed.join(''), {
    request_id: body['request_id'],
    details: body['details'],
  });
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

/** Longest time a refused request (429) waits before it is sent again, in seconds. */
const LONGEST_WAIT = 30;

export interface Api {
  readonly target: Target;
  /** The parsed JSON body of a 2xx answer. @throws ApiFailure, Failure where nothing answers */
  call(request: ApiRequest): Promise<unknown>;
}

/** What the platform says beside an answer: in the envelope's `meta`, or in `extensions`. */
function warningsIn(json: unknown): readonly string[] {
  const beside = isObject(json) ? [json['meta'], json['extensions']] : [];
  return beside.flatMap((one) =>
    isObject(one) && Array.isArray(one['warnings']) ? one['warnings'].map(String) : [],
  );
}

/** @param warn gets each warning that came with an answer */
export function apiOf(target: Target, warn: (warning: string) => void = () => undefined): Api {
  const credential = async (): Promise<string | undefined> => target.key ?? target.token?.();

  const once = async ({
    method = 'GET',
    path,
    query,
    body,
    text,
  }: ApiRequest): Promise<{ status: number; retryAfter: number; json: unknown }> => {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const bearer = await credential();
    const headers = {
      accept: 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    };
    const {
      statusCode: status,
      headers: answered,
      body: stream,
    } = await send(target.url + withQuery(path, query), {
      method,
      headers: content === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: content ?? null,
    });
    const received = await stream.text();
    let json: unknown;
    try {
      json = received === '' ? null : JSON.parse(received);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      json = undefined; // no JSON: a proxy's page, or another server; failureOf says so
    }
    return { status, retryAfter: Number(answered['retry-after'] ?? 1), json };
  };

  return {
    target,
    async call(request) {
      for (let waits = 0; ; waits++) {
        const { status, retryAfter, json } = await once(request).catch((cause: unknown) => {
          if (cause instanceof Failure) throw cause;
          const reason =
            cause instanceof Error
              ? ((cause as Error & { code?: string }).code ?? cause.message)
              : String(cause);
          throw new Failure(
            `${target.url} does not answer (${reason}). Is it running? "cairn start" starts one here.`,
            { error: 'unreachable', url: target.url },
            { cause },
          );
        });
        if (status === 429 && waits < 10)
          await sleep(
            Math.min(Number.isFinite(retryAfter) ? Math.max(retryAfter, 0.1) : 1, LONGEST_WAIT) * 1000,
          );
        else if (status >= 200 && status < 300 && json !== undefined) {
          for (const warning of warningsIn(json)) warn(warning);
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
            'no credential: run "cairn login", give --key, set CAIRN_KEY, or run this where the data directory is',
            {},
          );
        else throw failureOf(status, json);
      }
    },
  };
}

/** A member of an answer; a Failure where the answer is not of the shape the API promises. */
export function member(answer: unknown, name: string): unknown {
  if (isObject(answer) && name in answer) return answer[name];
  throw new Failure(`the platform's answer has no "${name}"`);
}

export function rows(answer: unknown, name?: string): readonly Json[] {
  const list = name === undefined ? answer : member(answer, name);
  if (Array.isArray(list)) return list.filter(isObject);
  throw new Failure(`the platform's answer has no list${name === undefined ? '' : ` "${name}"`}`);
}

/** A list whose pages may be several, as one answer: whoever asks for a list means all of it. */
export async function wholeList(api: Api, request: ApiRequest, name: string): Promise<Json> {
  const items: Json[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await api.call({ ...request, query: { ...request.query, cursor } });
    items.push(...rows(page, name));
    const next = isObject(page) ? page['next_cursor'] : null;
    if (typeof next !== 'string') return { ...(isObject(page) ? page : {}), [name]: items };
    cursor = next;
  }
}

/** A bare list in metadata's envelope, all of it: the next part is named in `meta`. */
export async function wholeData(api: Api, request: ApiRequest): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let cursor: string | undefined; ;) {
    const part = await api.call({ ...request, query: { ...request.query, cursor } });
    items.push(...rows(part, 'data'));
    const meta = member(part, 'meta');
    const next = isObject(meta) ? meta['next_cursor'] : null;
    if (typeof next !== 'string') return items;
    cursor = next;
  }
}

/** An object of named entries, as `GET /triggers` answers. */
export function entries(answer: unknown): readonly (readonly [string, Json])[] {
  if (!isObject(answer)) throw new Failure("the platform's answer is no object");
  return Object.entries(answer).flatMap(([name, value]) => (isObject(value) ? [[name, value] as const] : []));
}
