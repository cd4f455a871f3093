// A client of any GA4GH Workflow Execution Service 1.0 or 1.1: strict in requests, tolerant of deviating
// responses.
import { stripVTControlCharacters } from 'node:util';
import { isObject } from '../../../platform/json-object.ts';
import { LogTail } from './log-tail.ts';
import { type FormFile, multipart } from './multipart.ts';
import { WesFault } from './wes-fault.ts';
import { WesHttp, type WesSettings } from './wes-http.ts';
import { type Json, joinedOutputs, listedFiles, outputObject } from './wes-outputs.ts';

export interface Submission {
  readonly version: string;
  /** Name of the attachment with the workflow. */
  readonly workflow: string;
  readonly inputs: unknown;
  readonly attachments: readonly FormFile[];
  readonly tags: Readonly<Record<string, string>>;
  /** Which of its engines the service is to use; some require it. */
  readonly engine?: string | undefined;
  readonly engineParameters: Readonly<Record<string, string>>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Maximum pages of runs, and individual runs, that are searched for one of ours. */
const MAX_PAGES = 100;
const MAX_POLLS = 100;
const RUNS_PER_PAGE = 100;

const ENDED: Readonly<Record<string, Exclude<WesState, 'under way'>>> = {
  COMPLETE: 'complete',
  EXECUTOR_ERROR: 'failed',
  SYSTEM_ERROR: 'lost',
  PREEMPTED: 'lost',
  CANCELED: 'canceled',
  CANCELLED: 'canceled',
  DELETED: 'canceled',
};

/** `lost`: ended by a fault of the service, not of the workflow. */
export type WesState = 'complete' | 'failed' | 'lost' | 'canceled' | 'under way';

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
  /** The end of its log, or its URL. */
  readonly log: string;
}

const tailOf = (text: string): string => {
  const tail = new LogTail();
  tail.add(Buffer.from(stripVTControlCharacters(text)));
  return tail.text;
};

export class WesClient {
  readonly #http: WesHttp;

  constructor(settings: WesSettings) {
    this.#http = new WesHttp(settings);
  }

  /** A URL of the service itself, which may receive its credential; null for any other. */
  own(location: string): URL | null {
    return this.#http.own(location);
  }

  /** @throws WesFault */
  content(url: URL, stop: AbortSignal): Promise<ReadableStream> {
    return this.#http.content(url, stop);
  }

  /** @throws WesFault */
  async serviceInfo(): Promise<Json> {
    return this.#http.call('GET', '/service-info');
  }

  /** Returns the run's id. @throws WesFault */
  async submit(
    { version, workflow, inputs, attachments, tags, engine, engineParameters }: Submission,
    stop: AbortSignal,
  ): Promise<string> {
    const fields = {
      workflow_type: 'CWL',
      workflow_type_version: version,
      workflow_url: workflow,
      workflow_params: JSON.stringify(inputs),
      tags: JSON.stringify(tags),
      ...(engine === undefined ? {} : { workflow_engine: engine }),
      ...(Object.keys(engineParameters).length === 0
        ? {}
        : { workflow_engine_parameters: JSON.stringify(engineParameters) }),
    };
    const form = multipart(fields, 'workflow_attachment', attachments);
    const answer = await this.#http.call('POST', '/runs', form, stop);
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
      const {
        runs,
        workflows, // as Toil calls them
        next_page_token: next,
      } = await this.#http.call(
        'GET',
        `/runs?page_size=${RUNS_PER_PAGE}${token === '' ? '' : `&page_token=${encodeURIComponent(token)}`}`,
      );
      const listed: unknown = runs ?? workflows;
      for (const run of (Array.isArray(listed) ? listed : []).filter(isObject)) {
        const id = textOf(run['run_id']) || textOf(run['id']) || textOf(run['workflow_id']);
        if (id === '' || ['failed', 'lost', 'canceled'].includes(stateOf(run['state']))) continue;
        const own = isObject(run['tags']) ? run['tags'] : null;
        const told = own ?? (looks-- > 0 ? await this.#requestTags(id) : null);
        if (fits(told)) found.push({ id, tags: told });
      }
      if (typeof next !== 'string' || next === '' || next === token) break;
      token = next;
    }
    return found;
  }

  /** Tags in the run's own record. */
  async #requestTags(id: string): Promise<unknown> {
    const { request } = await this.#http.call('GET', `/runs/${encodeURIComponent(id)}`);
    return isObject(request) ? request['tags'] : null;
  }

  /** @throws WesFault */
  async state(id: string): Promise<WesState> {
    return stateOf((await this.#http.call('GET', `/runs/${encodeURIComponent(id)}/status`))['state']);
  }

  /** @throws WesFault */
  async run(id: string): Promise<WesRun> {
    const answer = await this.#http.call('GET', `/runs/${encodeURIComponent(id)}`);
    const log = isObject(answer['run_log']) ? answer['run_log'] : {};
    const [stdout, stderr] = [textOf(log['stdout']), textOf(log['stderr'])];
    const system = Array.isArray(log['system_logs']) ? log['system_logs'].map(textOf) : [];
    const state = stateOf(answer['state']);
    const files = state === 'complete' ? listedFiles(answer['outputs']) : null;
    return {
      state,
      stateName: textOf(answer['state']) || 'UNKNOWN',
      outputs:
        files === null || (files.length === 0 && stdout === '')
          ? outputObject(answer['outputs'])
          : joinedOutputs(
              files.map(({ name, url }) => ({ name, url: this.#fileUrl(id, name, url) })),
              await this.#logText(id, stdout),
            ),
      log: tailOf([await this.#logText(id, stderr || stdout), ...system].filter(Boolean).join('\n')),
    };
  }

  /**
   * Address of a listed file below the configured URL: the service may know itself by another one, and does
   * not escape names.
   */
  #fileUrl(id: string, name: string, url: string): string {
    const below = `/runs/${id}/`;
    const at = url.indexOf(below);
    if (at === -1) return url;
    const rest = url.slice(at + below.length);
    const folder = rest.endsWith(name) ? rest.slice(0, -name.length) : null;
    const path = folder === null ? rest : folder + name.split('/').map(encodeURIComponent).join('/');
    return `${this.#http.base}${below}${path}`;
  }

  /** @throws WesFault */
  async cancel(id: string): Promise<void> {
    await this.#http.call('POST', `/runs/${encodeURIComponent(id)}/cancel`);
  }

  /** Logs are text, or the URL of one, which Toil gives relative to the run's. A missing log is not a failure. */
  async #logText(id: string, told: string): Promise<string> {
    const isUrl = /^(?:https?:\/\/|(?:\.\.?\/)+|\/)\S+$/.test(told);
    const url = isUrl ? this.#http.own(told, `runs/${encodeURIComponent(id)}`) : null;
    if (url === null) return told;
    return (await this.#http.text(url)) ?? told; // at least its location
  }
}
