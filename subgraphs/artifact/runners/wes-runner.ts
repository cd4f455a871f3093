// Runs workflows at a GA4GH Workflow Execution Service (docs/reference/artifact.md#wes).
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../../platform/json-object.ts';
import { CancelledError, type RunOutcome, type Runner, type Task } from './runner.ts';
import { WesClient, WesFault, type WesRun, type WesSettings } from './wes-client.ts';
import { toolErrors } from './tool-errors.ts';
import { isDirectory, isFile, type Json, packageTask } from './wes-package.ts';
import type { RunLimits } from './run-limits.ts';

export interface WesRunnerSettings extends WesSettings {
  readonly pollSeconds: number;
}

/** Fetches an output that is not on the service to this machine. */
export type FetchOutput = (location: string, file: string, stop: AbortSignal) => Promise<unknown>;

/** How long a service may be unavailable before the run counts as lost. */
const MAX_FAILED_POLLS = 20;
const CANCEL_TRIES = 3;

/** A name that leads nowhere else, whatever a service calls its file. */
const nameOf = (value: Json, location: string): string => {
  const name = path.basename(
    typeof value['basename'] === 'string' ? value['basename'] : new URL(location, 'file:///').pathname,
  );
  return ['', '.', '..'].includes(name) ? 'file' : name;
};

export class WesRunner implements Runner {
  readonly name = 'wes';
  readonly #client: WesClient;
  readonly #settings: WesRunnerSettings;
  readonly #limits: RunLimits;
  readonly #fetch: FetchOutput;

  constructor(settings: WesRunnerSettings, limits: RunLimits, fetchOutput: FetchOutput) {
    this.#client = new WesClient(settings);
    this.#settings = settings;
    this.#limits = limits;
    this.#fetch = fetchOutput;
  }

  async trouble(): Promise<string | null> {
    try {
      const { workflow_type_versions: types } = await this.#client.serviceInfo();
      const knowsCwl = !isObject(types) || Object.keys(types).some((name) => name.toUpperCase() === 'CWL');
      return knowsCwl ? null : `the WES service at ${this.#settings.url} does not run CWL`;
    } catch (fault) {
      if (fault instanceof WesFault)
        return `the WES service at ${this.#settings.url} cannot be used: ${fault.message}; check artifact.runner`;
      throw fault;
    }
  }

  async version(): Promise<string | null> {
    try {
      const { name, version } = await this.#client.serviceInfo();
      return [name, version].filter((part) => typeof part === 'string' && part !== '').join(' ') || null;
    } catch (fault) {
      if (fault instanceof WesFault) return null;
      throw fault;
    }
  }

  /** The service decides about images. */
  imageTrouble(): Promise<null> {
    return Promise.resolve(null);
  }

  imageNote(): null {
    return null;
  }

  async run(task: Task, directory: string, stop: AbortSignal): Promise<RunOutcome> {
    const limit = AbortSignal.timeout(Math.min(this.#limits.timeSeconds * 1000, 2 ** 31 - 1));
    const ended = AbortSignal.any([stop, limit]);
    let id: string | undefined;
    let isKnown = task.elsewhere === undefined;
    try {
      id = await this.#begun(task);
      if (id === undefined && task.elsewhere?.isAgain === true) {
        id = await this.#found(task.elsewhere.tags);
        if (id !== undefined) await task.elsewhere.note(id);
      }
      if (id === undefined) {
        const { workflow, attachments, inputs } = await packageTask(task, directory);
        id = await this.#client.submit(
          {
            version: task.version,
            workflow,
            inputs,
            attachments,
            tags: task.elsewhere?.tags ?? { production: task.id },
          },
          ended,
        );
        await task.elsewhere?.note(id);
      }
      isKnown = true;
      const run = await this.#follow(id, task, ended);
      if (run.state !== 'complete')
        return {
          ok: false,
          fault: run.state === 'failed' ? 'workflow_failed' : 'runner_failed',
          message: `the workflow failed: the WES run ${id} is ${run.stateName}`,
          log: run.log,
          said: toolErrors(run.log, []),
        };
      const outputs = path.join(directory, 'outputs');
      await mkdir(outputs);
      return {
        ok: true,
        outputs: (await this.#bring(run.outputs, outputs, ended)) as Json,
        directory: outputs,
        log: run.log,
      }; // An object stays one.
    } catch (fault) {
      const goesOn = stop.aborted
        ? isKnown && task.elsewhere !== undefined && !(stop.reason instanceof CancelledError)
        : isKnown && !limit.aborted && !(fault instanceof WesFault);
      if (id !== undefined && !goesOn) await this.abandon(id);
      stop.throwIfAborted();
      if (limit.aborted)
        return {
          ok: false,
          fault: 'limit_exceeded',
          message: `the workflow was stopped: it took longer than ${this.#limits.timeSeconds} s`,
          log: '',
          said: '',
        };
      if (fault instanceof WesFault)
        return {
          ok: false,
          fault: 'runner_failed',
          message: `the WES service failed: ${fault.message}`,
          log: '',
          said: '',
        };
      throw fault;
    }
  }

  /**
   * The run of an earlier attempt, if the service still has it and it has not been ended; assumed to exist if
   * the service does not answer now.
   */
  async #begun({ elsewhere }: Task): Promise<string | undefined> {
    const run = elsewhere?.begun ?? undefined;
    if (run === undefined) return undefined;
    try {
      return (await this.#client.state(run)) === 'canceled' ? undefined : run;
    } catch (fault) {
      if (!(fault instanceof WesFault)) throw fault;
      return fault.status !== null && fault.status >= 400 && fault.status < 500 && fault.status !== 429
        ? undefined
        : run;
    }
  }

  /**
   * An unrecorded run for the same work: the server was killed after submitting it. Others of the production
   * are ended. Without support by the service there is none.
   */
  async #found({ production, work }: NonNullable<Task['elsewhere']>['tags']): Promise<string | undefined> {
    try {
      const runs = await this.#client.tagged({ production });
      const own = runs.find(({ tags }) => tags['work'] === work)?.id;
      for (const { id } of runs) if (id !== own) await this.abandon(id);
      return own;
    } catch (fault) {
      if (fault instanceof WesFault) return undefined;
      throw fault;
    }
  }

  /**
   * Polls the run until it has ended.
   * @throws WesFault if the service has been unavailable for too long
   */
  async #follow(id: string, task: Task, ended: AbortSignal): Promise<WesRun> {
    for (let silence = 0; ;) {
      ended.throwIfAborted();
      try {
        if ((await this.#client.state(id)) !== 'under way') {
          const run = await this.#client.run(id);
          task.onLog(run.log);
          if (run.state !== 'under way') return run;
        }
        silence = 0;
      } catch (fault) {
        const isPassing =
          fault instanceof WesFault &&
          (fault.status === null || fault.status >= 500 || fault.status === 429 || fault.status === 404);
        silence += 1;
        if (!isPassing || silence > MAX_FAILED_POLLS) throw fault;
      }
      // aborted: the next iteration handles it
      await sleep(this.#settings.pollSeconds * 1000, undefined, { signal: ended }).catch(() => undefined);
    }
  }

  /** The outputs with every file and directory fetched to this machine. */
  async #bring(value: unknown, directory: string, ended: AbortSignal): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#bring(item, directory, ended)));
    if (!isObject(value)) return value;
    if (!isFile(value) && !isDirectory(value))
      return Object.fromEntries(
        await Promise.all(
          Object.entries(value).map(
            async ([key, held]) => [key, await this.#bring(held, directory, ended)] as const,
          ),
        ),
      );
    const own = path.join(directory, randomUUID());
    await mkdir(own);
    return this.#bringTo(own, value, ended);
  }

  /** One file or directory below a directory, with its secondary files. */
  async #bringTo(own: string, value: Json, ended: AbortSignal): Promise<Json> {
    const location =
      value['location'] ?? value['path'] ?? value['url'] ?? (isDirectory(value) ? '' : undefined);
    if (typeof location !== 'string') throw new WesFault('an output has no location', null);
    const basename = nameOf(value, location);
    const file = path.join(own, basename);
    const beside = Array.isArray(value['secondaryFiles'])
      ? { secondaryFiles: await this.#bring(value['secondaryFiles'], own, ended) }
      : {};
    if (isDirectory(value)) {
      const { listing } = value;
      if (!Array.isArray(listing))
        throw new WesFault(`the service does not list the contents of the directory ${basename}`, null);
      await mkdir(file);
      for (const held of listing.filter(isObject)) await this.#bringTo(file, held, ended);
      return { ...value, listing: undefined, location: undefined, path: file, basename, ...beside };
    }
    const url = this.#client.own(location);
    if (url)
      await pipeline(
        Readable.fromWeb((await this.#client.content(url, ended)) as never),
        createWriteStream(file, { flags: 'wx' }),
      ); // The two kinds of web streams only differ in name.
    else await this.#fetch(location, file, ended);
    return { ...value, location: undefined, path: file, basename, ...beside };
  }

  async abandon(id: string): Promise<void> {
    for (let tries = 1; tries <= CANCEL_TRIES; tries++) {
      try {
        await this.#client.cancel(id);
        return;
      } catch (fault) {
        // if the service refuses or is gone, nothing more can be done
        if (!(fault instanceof WesFault)) throw fault;
        if (fault.status !== null && fault.status < 500) return;
      }
    }
  }
}
