// Commands on runs: start a trigger now, submit an action without one, cancel.
import { randomUUID } from 'node:crypto';
import { actingFor } from '../../../platform/acting.ts';
import { causeOf } from '../../../platform/causal-links.ts';
import { badRequest, DomainError, invalid, notFound } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { isObject } from '../../../platform/json-object.ts';
import { assertMember } from '../../../platform/permissions.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import { unknownKey } from '../../../platform/suggestions.ts';
import { type ConfiguredTrigger, storedTrigger } from '../trigger-model/trigger-definition.ts';
import { insertObservations } from '../observation-log/observations.store.ts';
import { actingBy, actsAsConfigured, runOf } from './new-run.ts';
import { lineOf } from './run-log.ts';
import { appendToLog } from './run-logs.store.ts';
import type { Run } from './run.ts';
import * as queue from './run-queue.store.ts';
import { findRun } from './runs.store.ts';
import { noteResult } from './trigger-result.store.ts';

export interface RunCommandDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly triggers: readonly ConfiguredTrigger[];
  /** Names of the configured adapters. */
  readonly adapters: ReadonlySet<string>;
  /** Hash of the configuration under which runs are queued; null: any. */
  readonly configuration: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses an action from a request, and fills in defaults.
 * @throws DomainError `invalid_request`, `validation_failed` for an adapter that is not configured
 */
function readAction(sent: unknown, adapters: ReadonlySet<string>): Fields {
  if (!isObject(sent)) throw badRequest('action must be an object');
  const known = (...keys: string[]): void => {
    const other = Object.keys(sent).find((key) => !keys.includes(key));
    if (other !== undefined) throw badRequest(`action: ${unknownKey(other, keys)}`);
  };
  const object = (key: string): Fields => {
    const value = sent[key] ?? {};
    if (!isObject(value)) throw badRequest(`action.${key} must be an object`);
    return value;
  };
  switch (sent['type']) {
    case 'ingest': {
      known('type', 'adapter', 'incremental');
      const { adapter, incremental = false } = sent;
      if (typeof adapter !== 'string') throw badRequest('action.adapter must be the name of an adapter');
      if (typeof incremental !== 'boolean') throw badRequest('action.incremental must be true or false');
      if (!adapters.has(adapter))
        throw invalid(`no adapter named ${adapter} is configured`, { field: 'action.adapter' });
      return { type: 'ingest', adapter, incremental };
    }
    case 'resolve':
      known('type', 'entity_type', 'criteria', 'parameters', 'reuse');
      if (![undefined, null, 'any', 'fresh'].some((reuse) => reuse === sent['reuse']))
        throw badRequest('action.reuse must be any or fresh');
      if (typeof sent['entity_type'] !== 'string') throw badRequest('action.entity_type must be a string');
      return {
        type: 'resolve',
        entity_type: sent['entity_type'],
        criteria: object('criteria'),
        parameters: object('parameters'),
        ...(sent['reuse'] === 'fresh' ? { reuse: 'fresh' } : {}),
      };
    default:
      throw badRequest('action.type must be ingest or resolve');
  }
}

export class RunCommands {
  readonly #deps: RunCommandDeps;
  readonly #caller: Caller;

  constructor(deps: RunCommandDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /**
   * Queues a run of the trigger, whatever its type (docs/reference/workflow.md#submitting-a-run), with at
   * most the caller's rights.
   * @throws DomainError `not_found`, `project_scope_denied`
   */
  async trigger(name: string): Promise<Run> {
    const trigger = this.#deps.triggers.find((one) => one.name === name);
    if (!trigger) throw notFound('trigger', name);
    if (trigger.project !== undefined) assertMember(this.#caller, trigger.project);
    const { actor, requestId } = this.#caller;
    const causedBy = causeOf(this.#caller);
    const run = runOf(trigger, {
      actor,
      cause: { actor },
      causedBy,
      requestId,
      acting: actingBy(trigger, this.#caller),
    });
    await this.#deps.transact(async (tx) => {
      await queue.insertRun(tx, run);
      await insertObservations(tx, [
        {
          triggerName: name,
          kind: 'request',
          verdict: 'fired',
          subject: { actor },
          runId: run.id,
          project: queue.projectOf(run.acting),
        },
      ]);
    });
    return this.#queued(run.id);
  }

  /**
   * Queues an action without a trigger; `context.project` restricts it to that project, and it has at most
   * the caller's rights (docs/reference/workflow.md#submitting-a-run,
   * docs/reference/workflow.md#who-a-run-acts-as).
   * @throws DomainError `invalid_request`, `validation_failed`, `project_scope_denied`
   */
  async submit(sent: unknown, context: unknown): Promise<Run> {
    const action = readAction(sent, this.#deps.adapters);
    if (context !== null && !isObject(context)) throw badRequest('context must be an object');
    const project = context?.['project'] ?? null;
    if (project !== null && typeof project !== 'string') throw badRequest('context.project must be a string');
    if (project !== null) assertMember(this.#caller, project);
    const { actor, requestId } = this.#caller;
    const id = randomUUID();
    await this.#deps.transact((tx) =>
      queue.insertRun(tx, {
        id,
        triggerName: null,
        triggerType: null,
        adapter: typeof action['adapter'] === 'string' ? action['adapter'] : null,
        action,
        cause: context === null ? { actor } : { actor, context },
        causedBy: causeOf(this.#caller),
        requestId,
        actor,
        acting: actingFor(this.#caller, project === null ? '*' : [project]),
        configuration: this.#deps.configuration,
      }),
    );
    return this.#queued(id);
  }

  /**
   * Ends a run as `failed`, without its event.
   * @throws DomainError `not_found`, `conflict` if it has ended
   */
  async cancel(runId: string): Promise<Run> {
    const run = hasNoNul(runId) ? await findRun(this.#deps.db, this.#caller.projects, runId, null) : null;
    if (!run) throw notFound('run', runId);
    const message = `cancelled by ${this.#caller.actor}`;
    const isCancelled = await this.#deps.transact(async (tx) => {
      const ended = await queue.cancelRun(tx, runId, { type: 'Cancelled', message });
      if (!ended) return false;
      const trigger = this.#deps.triggers.find(({ name }) => name === ended.triggerName);
      if (trigger && actsAsConfigured(trigger, ended))
        await noteResult(tx, storedTrigger(trigger), 'failed', message, false);
      await appendToLog(tx, { id: runId, attempt: ended.attempt }, [lineOf('error', message)]);
      return true;
    });
    const now = await this.#found(runId);
    if (!isCancelled) throw new DomainError('conflict', `the run has already ended: ${now.status}`);
    return now;
  }

  async #queued(id: string): Promise<Run> {
    return { ...(await this.#found(id)), status: 'queued' }; // a worker may have finished it meanwhile
  }

  async #found(id: string): Promise<Run> {
    const run = await findRun(this.#deps.db, '*', id, null);
    if (!run) throw notFound('run', id);
    return run;
  }
}
