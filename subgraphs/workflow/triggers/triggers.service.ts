// Configured triggers with their state: next firing and last result.
import DataLoader from 'dataloader';
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import { badRequest, DomainError, notFound } from '../../../platform/errors.ts';
import { exactTimeText } from '../../../platform/instant.ts';
import { type Caller, isMember } from '../../../platform/identity.ts';
import { allows } from '../../../platform/permissions.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import { type Batched, keyedLoader } from '../../../platform/keyed-loader.ts';
import type { Past } from '../../../platform/past/past.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { PollCursors } from '../cursors/poll-cursors.ts';
import {
  type ConfiguredTrigger,
  FAILING_AFTER,
  STATUS_OF_TYPE,
  type TriggerDefinition,
  triggerDefinition,
  type TriggerStatus,
} from '../trigger-model/trigger-definition.ts';
import { ticksSince } from '../trigger-model/cron.ts';
import { lockTrigger } from '../trigger-model/lock-trigger.store.ts';
import { assertMayPause, mayPause } from '../trigger-model/trigger-rights.ts';
import { endPause, insertPause } from './pauses.store.ts';
import { type PastTriggerRow, readPastTriggers, readTriggers, type TriggerRow } from './triggers.store.ts';

/** While metadata is unavailable, only its part of a trigger is missing. */
function withoutThem(fault: unknown): undefined {
  if (
    fault instanceof DomainError &&
    (fault.code === 'component_unavailable' || fault.code === 'upstream_timeout')
  )
    return undefined;
  throw fault;
}

export interface TriggerPause {
  readonly at: string;
  readonly actor: string;
  readonly reason: string | null;
}

export interface Trigger {
  readonly name: string;
  readonly type: TriggerType;
  readonly definition: TriggerDefinition;
  /** The project that it is restricted to; null for none. */
  readonly project: string | null;
  readonly status: TriggerStatus;
  readonly problem: string | null;
  readonly pause: TriggerPause | null;
  readonly mayRun: boolean;
  readonly mayPause: boolean;
  readonly lastRun: string | null;
  readonly lastResult: TriggerRow['lastResult'];
  readonly lastError: string | null;
  /** The instant as of which it was read; null for the present. */
  readonly asOf: string | null;
}

interface Configured extends Pick<Trigger, 'name' | 'type' | 'definition'> {
  /** The project that the trigger is restricted to: its results are visible to members only. */
  readonly project: string | undefined;
  /** The ticks of a schedule. */
  readonly schedule: { readonly expression: string; readonly timezone: string } | undefined;
}

const pauseOf = (row: TriggerRow | undefined, isShown: boolean): TriggerPause | null =>
  row === undefined || row.pausedAt === null || row.pausedBy === null
    ? null
    : { at: row.pausedAt, actor: row.pausedBy, reason: isShown ? row.reason : null };

/**
 * What keeps failing is a problem of the trigger, not of one run; it goes on firing, so that its status stays
 * (docs/reference/workflow.md#degraded-triggers).
 */
const failingText = (row: TriggerRow | undefined): string | null =>
  row === undefined || (row.failures ?? 0) < FAILING_AFTER
    ? null
    : `its last ${row.failures} runs have failed, the last one with: ${row.lastError ?? 'no error'}`;

const MAX_REASON = 1000;

/** A trigger as it was configured then: its definition says all that its state is shown by. */
function configuredThen({
  name,
  type,
  definition,
}: Pick<PastTriggerRow, 'name' | 'type' | 'definition'>): Configured {
  const { project, schedule, timezone } = definition;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    name,
    type,
    definition,
    project: text(project),
    schedule:
      type === 'schedule'
        ? { expression: text(schedule) ?? '', timezone: text(timezone) ?? 'UTC' }
        : undefined,
  };
}

export interface TriggerDeps {
  readonly db: Queryable;
  readonly past: Past;
  readonly transact: Transact;
  readonly list: TriggerList;
  readonly cursors: PollCursors | null;
}

/** The configured triggers of a deployment: the list and its index by name, created once. */
export class TriggerList {
  readonly all: readonly Configured[];
  readonly #byName: ReadonlyMap<string, Configured>;

  constructor(configured: readonly ConfiguredTrigger[]) {
    this.all = configured
      .map((trigger) => ({
        name: trigger.name,
        type: trigger.type,
        project: trigger.project,
        schedule:
          trigger.type === 'schedule'
            ? { expression: trigger.schedule, timezone: trigger.timezone }
            : undefined,
        definition: triggerDefinition(trigger),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#byName = new Map(this.all.map((trigger) => [trigger.name, trigger]));
  }

  get(name: string): Configured | undefined {
    return this.#byName.get(name);
  }
}

/**
 * One operation's view of the triggers: their definitions from the configuration, their state from the store.
 */
export class TriggerService {
  readonly #list: TriggerList;
  readonly #caller: Caller;
  readonly #remembered: DataLoader<string, TriggerRow | undefined>;
  readonly #transact: Transact;
  readonly #lastSeen: Batched<string | null, string | null>;
  readonly #past: Past;
  readonly #pastOnes: Batched<string, PastTriggerRow | undefined>;
  readonly #db: Queryable;

  constructor({ db, transact, list, cursors, past }: TriggerDeps, caller: Caller) {
    this.#transact = transact;
    this.#db = db;
    this.#past = past;
    this.#list = list;
    this.#caller = caller;
    this.#remembered = new DataLoader(async (names) => {
      const rows = new Map((await readTriggers(db, names)).map((row) => [row.name, row]));
      return names.map((name) => rows.get(name));
    });
    this.#lastSeen = keyedLoader<string | null, string | null>(
      async (names, asOf) => (await cursors?.lastSeen(names, caller, asOf).catch(withoutThem)) ?? new Map(),
      null,
    );
    this.#pastOnes = keyedLoader<string, PastTriggerRow | undefined>(
      async (names, asOf) => new Map((await readPastTriggers(db, asOf, names)).map((row) => [row.name, row])),
      undefined,
    );
  }

  /** @throws DomainError as {@link Past.instant} */
  async list(asOf: string | null = null): Promise<Trigger[]> {
    const at = await this.#past.instant(asOf);
    if (at !== null) return (await readPastTriggers(this.#db, at, null)).map((row) => this.#then(row, at));
    return Promise.all(this.#list.all.map((trigger) => this.#describe(trigger)));
  }

  /** Null for an unknown name. @throws DomainError as {@link Past.instant} */
  async get(name: string | null, asOf: string | null = null): Promise<Trigger | null> {
    if (name === null) return null;
    const at = await this.#past.instant(asOf);
    if (at !== null) {
      const row = hasNoNul(name) ? await this.#pastOnes(name, at) : undefined;
      return row === undefined ? null : this.#then(row, at);
    }
    const configured = this.#list.get(name);
    return configured === undefined ? null : this.#describe(configured);
  }

  #then(row: PastTriggerRow, asOf: string): Trigger {
    return this.#shown(configuredThen(row), row, asOf);
  }

  /**
   * From now on it fires on request only, in all processes; a paused one keeps its pause.
   * @throws DomainError `not_found`, `insufficient_role`, `conflict` for a manual trigger, `invalid_request` for a
   * long reason
   */
  async pause(name: string, reason: string | null): Promise<Trigger> {
    if (reason !== null && reason.length > MAX_REASON)
      throw badRequest(`reason must have at most ${MAX_REASON} characters`);
    return this.#change(name, (db) => insertPause(db, name, this.#caller.actor, reason));
  }

  /** The first tick of a schedule that is to come; null for other triggers, and for those that are paused. */
  nextFiring({ name, status, definition, type, asOf }: Trigger): string | null {
    const schedule =
      asOf === null ? this.#list.get(name)?.schedule : configuredThen({ name, type, definition }).schedule;
    if (schedule === undefined || status === 'paused') return null;
    const now = asOf === null ? new Date() : new Date(asOf);
    const { next } = ticksSince(schedule.expression, schedule.timezone, now, now);
    return next === null ? null : exactTimeText(next);
  }

  /** @throws as {@link pause} does */
  resume(name: string): Promise<Trigger> {
    return this.#change(name, (db) => endPause(db, name));
  }

  /**
   * The last change that a polling trigger has processed; null for other triggers, and for callers that are
   * not in all projects that it polls, because it reveals changes there.
   */
  async lastSeen({ name, type, definition, asOf }: Trigger): Promise<string | null> {
    const { project } = configuredThen({ name, type, definition });
    const isShown =
      this.#caller.projects === '*' || (project !== undefined && isMember(this.#caller, project));
    return STATUS_OF_TYPE[type] === 'polling' && isShown ? this.#lastSeen(name, asOf) : null;
  }

  async #change(name: string, write: (db: Queryable) => Promise<void>): Promise<Trigger> {
    const configured = this.#list.get(name);
    if (configured === undefined) throw notFound('trigger', name);
    assertMayPause(configured, this.#caller);
    await this.#transact(async (db) => {
      await lockTrigger(db, name); // a tick that is being decided is decided before
      await write(db);
    });
    this.#remembered.clear(name);
    return this.#describe(configured);
  }

  async #describe(configured: Configured): Promise<Trigger> {
    return this.#shown(configured, await this.#remembered.load(configured.name), null);
  }

  #shown(configured: Configured, row: TriggerRow | undefined, asOf: string | null): Trigger {
    const { name, type, definition, project } = configured;
    const isShown = project === undefined || isMember(this.#caller, project);
    const pause = pauseOf(row, isShown);
    // of an older configuration: now it fires only on request anyway
    const isPaused = pause !== null && type !== 'manual';
    // the other was written under an older configuration
    const current = row?.type === type ? row : undefined;
    const problem = current?.problem ?? failingText(current);
    const isDegraded = typeof current?.problem === 'string';
    const own = isDegraded ? 'degraded' : (current?.status ?? STATUS_OF_TYPE[type]);
    return {
      name,
      type,
      definition,
      project: isShown ? (project ?? null) : null,
      status: isPaused ? 'paused' : own,
      pause: isPaused ? pause : null,
      mayRun: isShown && allows(this.#caller, 'workflow:run'),
      mayPause: mayPause(configured, this.#caller),
      ...(isShown
        ? {
            problem,
            lastRun: row?.lastRun ?? null,
            lastResult: row?.lastResult ?? null,
            lastError: row?.lastError ?? null,
          }
        : { problem: null, lastRun: null, lastResult: null, lastError: null }),
      asOf,
    };
  }
}

/** The slice of the resolvers' context. */
export interface TriggerSlice {
  readonly triggers: TriggerService;
}
