// Configured triggers with their state: next firing and last result.
import DataLoader from 'dataloader';
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import { DomainError } from '../../../platform/errors.ts';
import { type Caller, isMember } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { PollCursors } from '../cursors/poll-cursors.ts';
import {
  type ConfiguredTrigger,
  STATUS_OF_TYPE,
  type TriggerDefinition,
  triggerDefinition,
  type TriggerStatus,
} from '../trigger-model/trigger-definition.ts';
import { readTriggers, type TriggerRow } from './triggers.store.ts';

/** While metadata is unavailable, only its part of a trigger is missing. */
function withoutThem(fault: unknown): undefined {
  if (
    fault instanceof DomainError &&
    (fault.code === 'component_unavailable' || fault.code === 'upstream_timeout')
  )
    return undefined;
  throw fault;
}

export interface Trigger {
  readonly name: string;
  readonly type: TriggerType;
  readonly definition: TriggerDefinition;
  readonly status: TriggerStatus;
  readonly problem: string | null;
  readonly lastRun: string | null;
  readonly lastResult: TriggerRow['lastResult'];
}

interface Configured extends Pick<Trigger, 'name' | 'type' | 'definition'> {
  /** The project that the trigger is restricted to: its results are visible to members only. */
  readonly project: string | undefined;
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
  readonly #lastSeen: DataLoader<string, string | null>;

  constructor(db: Queryable, list: TriggerList, cursors: PollCursors | null, caller: Caller) {
    this.#list = list;
    this.#caller = caller;
    this.#remembered = new DataLoader(async (names) => {
      const rows = new Map((await readTriggers(db, names)).map((row) => [row.name, row]));
      return names.map((name) => rows.get(name));
    });
    this.#lastSeen = new DataLoader(async (names) => {
      const seen = await cursors?.lastSeen(names, caller).catch(withoutThem);
      return names.map((name) => seen?.get(name) ?? null);
    });
  }

  async list(): Promise<Trigger[]> {
    return Promise.all(this.#list.all.map((trigger) => this.#describe(trigger)));
  }

  /** Null for an unknown name. */
  async get(name: string | null): Promise<Trigger | null> {
    const configured = name === null ? undefined : this.#list.get(name);
    return configured === undefined ? null : this.#describe(configured);
  }

  /**
   * The last change that a polling trigger has processed; null for other triggers, and for callers that are
   * not in all projects that it polls, because it reveals changes there.
   */
  async lastSeen({ name, type }: Trigger): Promise<string | null> {
    const project = this.#list.get(name)?.project;
    const isShown =
      this.#caller.projects === '*' || (project !== undefined && isMember(this.#caller, project));
    return type === 'metadata_poll' && isShown ? this.#lastSeen.load(name) : null;
  }

  async #describe(configured: Configured): Promise<Trigger> {
    const { name, type, definition, project } = configured;
    const row = await this.#remembered.load(name);
    // the other was written under an older configuration
    const current = row?.type === type ? row : undefined;
    const problem = current?.problem ?? null;
    return {
      name,
      type,
      definition,
      status: problem === null ? (current?.status ?? STATUS_OF_TYPE[type]) : 'degraded',
      ...(project === undefined || isMember(this.#caller, project)
        ? { problem, lastRun: row?.lastRun ?? null, lastResult: row?.lastResult ?? null }
        : { problem: null, lastRun: null, lastResult: null }),
    };
  }
}

/** The slice of the resolvers' context. */
export interface TriggerSlice {
  readonly triggers: TriggerService;
}
