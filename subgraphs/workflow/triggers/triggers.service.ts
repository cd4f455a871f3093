// Says what each configured trigger is, what it is waiting for and how its last run ended.
import DataLoader from 'dataloader';
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { PollCursors } from '../cursors/poll-cursors.ts';
import {
  type ConfiguredTrigger,
  STATUS_OF_TYPE,
  type TriggerDefinition,
  triggerDefinition,
  type TriggerStatus,
} from './trigger-definition.ts';
import { readTriggers, type TriggerRow } from './triggers.store.ts';

/** What metadata alone knows is not said while metadata is away; all else of a trigger is. */
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

type Configured = Pick<Trigger, 'name' | 'type' | 'definition'>;

/** The configured triggers of a deployment: the list and its look-up by name, made once. */
export class TriggerList {
  readonly all: readonly Configured[];
  readonly #byName: ReadonlyMap<string, Configured>;

  constructor(configured: readonly ConfiguredTrigger[]) {
    this.all = configured
      .map((trigger) => ({ name: trigger.name, type: trigger.type, definition: triggerDefinition(trigger) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#byName = new Map(this.all.map((trigger) => [trigger.name, trigger]));
  }

  get(name: string): Configured | undefined {
    return this.#byName.get(name);
  }
}

/** One operation's view of the triggers. The configuration says which there are; the store, what became of them. */
export class TriggerService {
  readonly #list: TriggerList;
  readonly #remembered: DataLoader<string, TriggerRow | undefined>;
  readonly #lastSeen: DataLoader<string, string | null>;

  constructor(db: Queryable, list: TriggerList, cursors: PollCursors | null, caller: Caller) {
    this.#list = list;
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

  /** Null for a name that no configured trigger has. */
  async get(name: string | null): Promise<Trigger | null> {
    const configured = name === null ? undefined : this.#list.get(name);
    return configured === undefined ? null : this.#describe(configured);
  }

  /** The last change that a polling trigger has seen; null for every other. */
  async lastSeen({ name, type }: Trigger): Promise<string | null> {
    return type === 'metadata_poll' ? this.#lastSeen.load(name) : null;
  }

  async #describe(configured: Configured): Promise<Trigger> {
    const { name, type, definition } = configured;
    const row = await this.#remembered.load(name);
    return {
      name,
      type,
      definition,
      status: row?.type !== type ? STATUS_OF_TYPE[type] : row.problem === null ? row.status : 'degraded', // a row of another type was written under an older configuration
      problem: row?.type === type ? row.problem : null,
      lastRun: row?.lastRun ?? null,
      lastResult: row?.lastResult ?? null,
    };
  }
}
