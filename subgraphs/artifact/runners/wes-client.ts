// A client of any GA4GH Workflow Execution Service 1.0 or 1.1: strict in requests, tolerant of deviating
// responses.
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../../platform/json-object.ts';

export interface WesSettings {
  /** Base URL, ending before `/service-info`. */
  readonly url: string;
  readonly token?: { reveal(): string } | undefined;
}

export interface WesAttachment {
  readonly name: string;
  readonly content: Blob;
}

export interface Submission {
  readonly version: string;
  /** Name of the attachment with the workflow. */
  readonly workflow: string;
  readonly inputs: unknown;
  readonly attachments: readonly WesAttachment[];
  readonly tags: Readonly<Record<string, string>>;
}

type Json = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Maximum pages of runs, and individual runs, that are searched for one of ours. */
const MAX_PAGES = 100;
const MAX_POLLS = 100;
const CONTENT_ATTEMPTS = 3;
const CONTENT_PAUSE_MS = 200;

/** A failed request to the service; `status` is null without a response. */
export class WesFault extends Error {
  override name = 'WesFault';
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

const ENDED: Readonly<Record<string, 'complete' | 'failed' | 'canceled'>> = {
  COMPLETE: 'complete',
  EXECUTOR_ERROR: 'failed',
  SYSTEM_ERROR: 'failed',
  PREEMPTED: 'failed',
  CANCELED: 'canceled',
  CANCELLED: 'canceled',
};

export type WesState = 'complete' | 'failed' | 'canceled' | 'under way';

/** States in either case; an unknown or missing one is not final. */
const stateOf = (value: unknown): WesState => {
  const name = typeof value === 'string' ? value.toUpperCase() : '';
  return (Object.hasOwn(ENDED, name) ? ENDED[name] : undefined) ?? 'under way';
};

export interface WesRun {
  readonly state: WesState;
  /** The service's id. */
  readonly stateName: string;
  readonly outputs: Json;
  /** Text of the log, or its URL. */
  readonly log: string;
}

const ANSWER_MS = 60_000;
const MAX_LOG_BYTES = 64 * 1024;

/**
 * Outputs as an object, or as a list of `{name, value}`, as some services return them; or inside another
 * `outputs`.
 */
function outputsOf(value: unknown): Json {
  if (Array.isArray(value))
    return Object.fromEntries(
      value
        .filter(isObject)
        .map((one) => [textOf(one['name']) || textOf(one['id']), one['value'] ?? one['location'] ?? null]),
    );
  if (!isObject(value)) return {};
  const { outputs } = value;
  return Object.keys(value).length === 1 && isObject(outputs) ? outputs : value;
}

export class WesClient {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, token }: WesSettings) {
    this.#base = url.replace(/\/+$/, '');
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
  }

  /** @throws WesFault */
  async serviceInfo(): Promise<Json> {
    return this.#call('GET', '/service-info');
  }

  /** Returns the run's id. @throws WesFault */
  async submit(
    { version, workflow, inputs, attachments, tags }: Submission,
    stop: AbortSignal,
  ): Promise<string> {
    const form = new FormData();
    form.set('workflow_type', 'CWL');
    form.set('workflow_type_version', version);
    form.set('workflow_url', workflow);
    form.set('workflow_params', JSON.stringify(inputs));
    form.set('tags', JSON.stringify(tags));
    for (const { name, content } of attachments) form.append('workflow_attachment', content, name);
    const answer = await this.#call('POST', '/runs', form, stop);
    const id = answer['run_id'] ?? answer['id'] ?? answer['workflow_id'];
    if (typeof id !== 'string' || id === '') throw new WesFault('the service returned no run_id', 200);
    return id;
  }

  /**
   * Runs that were submitted with these tags and have not failed, as far as the service lists them; listed
   * without tags, some are queried individually.
   * @throws WesFault
   */
  async tagged(
    tags: Readonly<Record<string, string>>,
  ): Promise<readonly { readonly id: string; readonly tags: Json }[]> {
    const found: { readonly id: string; readonly tags: Json }[] = [];
    const fits = (told: unknown): told is Json =>
      isObject(told) && Object.entries(tags).every(([name, value]) => told[name] === value);
    let [looks, token] = [MAX_POLLS, ''];
    for (let page = 0; page < MAX_PAGES; page++) {
      const { runs, next_page_token: next } = await this.#call(
        'GET',
        `/runs${token === '' ? '' : `?page_token=${encodeURIComponent(token)}`}`,
      );
      for (const run of (Array.isArray(runs) ? runs : []).filter(isObject)) {
        const id = textOf(run['run_id']) || textOf(run['id']) || textOf(run['workflow_id']);
        if (id === '' || ['failed', 'canceled'].includes(stateOf(run['state']))) continue;
        const listed = isObject(run['tags']) ? run['tags'] : null;
        const told = listed ?? (looks-- > 0 ? await this.#requestTags(id) : null);
        if (fits(told)) found.push({ id, tags: told });
      }
      if (typeof next !== 'string' || next === '' || next === token) break;
      token = next;
    }
    return found;
  }

  /** Tags in the run's own record. */
  async #requestTags(id: string): Promise<unknown> {
    const { request } = await this.#call('GET', `/runs/${encodeURIComponent(id)}`);
    return isObject(request) ? request['tags'] : null;
  }

  /** @throws WesFault */
  async state(id: string): Promise<WesState> {
    return stateOf((await this.#call('GET', `/runs/${encodeURIComponent(id)}/status`))['state']);
  }

  /** @throws WesFault */
  async run(id: string): Promise<WesRun> {
    const answer = await this.#call('GET', `/runs/${encodeURIComponent(id)}`);
    const log = isObject(answer['run_log']) ? answer['run_log'] : {};
    const told = typeof log['stderr'] === 'string' && log['stderr'] !== '' ? log['stderr'] : log['stdout'];
    return {
      state: stateOf(answer['state']),
      stateName: textOf(answer['state']) || 'UNKNOWN',
      outputs: outputsOf(answer['outputs']),
      log: typeof told === 'string' ? await this.#logText(told) : '',
    };
  }

  /** @throws WesFault */
  async cancel(id: string): Promise<void> {
    await this.#call('POST', `/runs/${encodeURIComponent(id)}/cancel`);
  }

  /** A URL of the service itself, which may receive its credential; null for any other. */
  own(location: string): URL | null {
    const base = new URL(`${this.#base}/`);
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
        if (!(fault instanceof WesFault) || (fault.status !== null && fault.status < 500)) throw fault;
        await sleep(CONTENT_PAUSE_MS * attempt, undefined, { signal: stop });
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
      throw new WesFault(`${url.pathname} returned status ${response.status}`, response.status);
    return response.body as ReadableStream; // The types of fetch and of streams declare it separately.
  }

  /** Logs are text, or the URL of one. A missing log is not a failure. */
  async #logText(told: string): Promise<string> {
    const url = /^(?:https?:\/\/|\/)\S+$/.test(told) ? this.own(told) : null;
    if (url === null) return told.slice(-MAX_LOG_BYTES);
    try {
      const response = await fetch(url.href, {
        headers: this.#headers,
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      return response.ok ? (await response.text()).slice(-MAX_LOG_BYTES) : told;
    } catch {
      return told; // at least its location
    }
  }

  async #call(method: string, path: string, body?: FormData, stop?: AbortSignal): Promise<Json> {
    const timeout = AbortSignal.timeout(body === undefined ? ANSWER_MS : ANSWER_MS * 60);
    const response = await fetch(this.#base + path, {
      method,
      headers: { accept: 'application/json', ...this.#headers },
      redirect: 'error',
      signal: stop === undefined ? timeout : AbortSignal.any([stop, timeout]),
      ...(body === undefined ? {} : { body }),
    }).catch((cause: unknown) => {
      throw new WesFault(`${this.#base} does not respond`, null, { cause });
    });
    const text = await response.text();
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      answer = {}; // some return nothing, or a page, with an error
    }
    if (!response.ok)
      throw new WesFault(
        `${method} ${path} returned status ${response.status}${isObject(answer) && typeof answer['msg'] === 'string' ? `: ${answer['msg']}` : ''}`,
        response.status,
      );
    if (typeof answer === 'string') return { run_id: answer };
    return isObject(answer) ? answer : {};
  }
}
