// Runs workflows at a GA4GH Workflow Execution Service (docs/reference/artifact.md#wes).
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../../platform/json-object.ts';
import { namedImages } from './image-digests.ts';
import type { RunLimits } from './run-limits.ts';
import { CancelledError, type RunOutcome, type Runner, type Task } from './runner.ts';
import { toolErrors } from './tool-errors.ts';
import { WesClient, type WesRun } from './wes-client.ts';
import { mayRecover, isFull, WesFault } from './wes-fault.ts';
import type { WesSettings } from './wes-http.ts';
import { type FetchOutput, WesOutputFiles } from './wes-output-files.ts';
import type { Json } from './wes-outputs.ts';
import { packageTask, type Packaged } from './wes-package.ts';

export interface WesRunnerSettings extends WesSettings {
  readonly pollSeconds: number;
  /** How long a service may be away before its runs count as lost. */
  readonly waitSeconds: number;
  readonly engine?: string | undefined;
  readonly engineParameters: Readonly<Record<string, string>>;
  /** Tags for its accounts, whose values may have `{actor}`, `{rule}` and `{entity_type}`. */
  readonly tags: Readonly<Record<string, string>>;
}

/** A run that the service does not know any more, as often as it was asked. */
const MAX_UNKNOWN = 20;
/** How often a run that the service has lost is submitted anew. */
const MAX_RESUBMISSIONS = 2;
const MAX_PAUSE_MS = 60_000;
const CANCEL_TRIES = 3;

/** The run that the task has at the service, and whether the production's record names it. */
interface Known {
  id: string | undefined;
  isNoted: boolean;
}

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
      const { workflow_type_versions: types, workflow_engine_versions: engines } =
        await this.#client.serviceInfo();
      const { engine, url } = this.#settings;
      const knowsCwl = !isObject(types) || Object.keys(types).some((name) => name.toUpperCase() === 'CWL');
      if (!knowsCwl) return `the WES service at ${url} does not run CWL`;
      if (engine !== undefined && isObject(engines) && !Object.hasOwn(engines, engine))
        return `the WES service at ${url} has no engine ${engine}, but ${Object.keys(engines).join(', ')}; check artifact.runner`;
      return null;
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
    const known: Known = { id: undefined, isNoted: task.elsewhere === undefined };
    try {
      const run = await this.#runToEnd(task, directory, known, ended);
      if (run.state !== 'complete')
        return {
          ok: false,
          fault: run.state === 'failed' ? 'workflow_failed' : 'runner_failed',
          message: `the workflow failed: the WES run ${known.id} is ${run.stateName}`,
          log: run.log,
          said: toolErrors(run.log, []),
        };
      const outputs = path.join(directory, 'outputs');
      await mkdir(outputs);
      const files = new WesOutputFiles(this.#client, this.#fetch, ended);
      return {
        ok: true,
        outputs: (await files.bring(run.outputs, outputs)) as Json, // An object stays one.
        directory: outputs,
        images: namedImages(task.images?.images ?? []),
        log: run.log,
      };
    } catch (fault) {
      const goesOn = stop.aborted
        ? known.isNoted && task.elsewhere !== undefined && !(stop.reason instanceof CancelledError)
        : known.isNoted && !limit.aborted && !(fault instanceof WesFault);
      if (known.id !== undefined && !goesOn) await this.abandon(known.id);
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

  /** Submits the task, or resumes it, and follows it; a run that the service loses is submitted again. */
  async #runToEnd(task: Task, directory: string, known: Known, ended: AbortSignal): Promise<WesRun> {
    let packaged: Packaged | undefined;
    for (let left = MAX_RESUBMISSIONS; ; left--) {
      known.id ??=
        (await this.#resumed(task)) ??
        (await this.#submitted(task, (packaged ??= await packageTask(task, directory)), ended));
      if (known.id !== task.elsewhere?.begun) await task.elsewhere?.note(known.id);
      known.isNoted = true;
      const run = await this.#follow(known.id, task, ended);
      const isLost = run === null || run.state === 'lost';
      if (!isLost || left === 0)
        return run ?? { state: 'lost', stateName: 'unknown to the service', outputs: {}, log: '' };
      task.onLog(`${run?.log ?? ''}\nthe service has lost the run ${known.id}: it is submitted again\n`);
      known.id = undefined;
    }
  }

  async #resumed(task: Task): Promise<string | undefined> {
    const begun = await this.#begun(task);
    if (begun !== undefined || task.elsewhere?.isAgain !== true) return begun;
    try {
      return await this.#found(task.elsewhere.tags);
    } catch (fault) {
      if (fault instanceof WesFault) return undefined;
      throw fault;
    }
  }

  /**
   * Submits the task; waits while the service is away or takes no more runs. A submission without an answer
   * may have been taken: then its run is looked for before another is submitted.
   * @throws WesFault if the service refuses it, or was away for too long
   */
  async #submitted(task: Task, packaged: Packaged, ended: AbortSignal): Promise<string> {
    const { engine, engineParameters } = this.#settings;
    const tags = { ...this.#accountTags(task), ...(task.elsewhere?.tags ?? { production: task.id }) };
    const wait = this.#waiting(task, ended);
    const submission = { ...packaged, version: task.version, tags, engine, engineParameters };
    for (let mayBeTaken = false; ;) {
      try {
        const taken = mayBeTaken && task.elsewhere ? await this.#found(task.elsewhere.tags) : undefined;
        return taken ?? (await this.#client.submit(submission, ended));
      } catch (fault) {
        await wait(fault);
        mayBeTaken ||= mayRecover(fault) && fault.status !== 401;
      }
    }
  }

  #accountTags({ elsewhere }: Task): Record<string, string> {
    const account: Readonly<Record<string, string>> = elsewhere?.account ?? {};
    return Object.fromEntries(
      Object.entries(this.#settings.tags).map(([name, value]) => [
        name,
        value.replaceAll(/\{(\w+)\}/g, (_, key: string) => account[key] ?? ''),
      ]),
    );
  }

  /**
   * Returns what to do with a fault: pauses, and returns, while it may pass; throws it otherwise. A service
   * that only takes no more is waited for until the run's time is over.
   */
  #waiting(task: Task, ended: AbortSignal): (fault: unknown) => Promise<void> {
    let since: number | null = null;
    let tries = 0;
    return async (fault) => {
      ended.throwIfAborted();
      if (isFull(fault)) since = null;
      else if (!mayRecover(fault)) throw fault;
      else if (Date.now() - (since ??= Date.now()) > this.#settings.waitSeconds * 1000) throw fault;
      task.onLog(`waiting for the WES service: ${fault.message}\n`);
      const pause = Math.min(this.#settings.pollSeconds * 1000 * 2 ** Math.min(tries++, 10), MAX_PAUSE_MS);
      await sleep(fault.retryAfterMs ?? pause, undefined, { signal: ended });
    };
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
   * @throws WesFault
   */
  async #found({ production, work }: NonNullable<Task['elsewhere']>['tags']): Promise<string | undefined> {
    const runs = await this.#client.tagged({ production });
    const own = runs.find(({ tags }) => tags['work'] === work)?.id;
    for (const { id } of runs) if (id !== own) await this.abandon(id);
    return own;
  }

  /**
   * Polls the run until it has ended; null if the service does not know it any more.
   * @throws WesFault if the service has been away for too long
   */
  async #follow(id: string, task: Task, ended: AbortSignal): Promise<WesRun | null> {
    let wait = this.#waiting(task, ended);
    for (let unknown = 0; unknown < MAX_UNKNOWN;) {
      ended.throwIfAborted();
      try {
        if ((await this.#client.state(id)) !== 'under way') {
          const run = await this.#client.run(id);
          task.onLog(run.log);
          if (run.state !== 'under way') return run;
        }
        unknown = 0;
        wait = this.#waiting(task, ended);
      } catch (fault) {
        if (!(fault instanceof WesFault) || fault.status !== 404) await wait(fault);
        else unknown += 1;
      }
      // aborted: the next iteration handles it
      await sleep(this.#settings.pollSeconds * 1000, undefined, { signal: ended }).catch(() => undefined);
    }
    return null;
  }

  async abandon(id: string): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#client.cancel(id);
        return true;
      } catch (fault) {
        if (!(fault instanceof WesFault)) throw fault;
        // one that does not know the run, or says that it has ended, will not run it
        if (!mayRecover(fault) && !isFull(fault)) return true;
        if (tries >= CANCEL_TRIES) return false;
      }
    }
  }
}
