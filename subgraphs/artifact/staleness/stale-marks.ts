// Keeps the marks of stale results up to date when somebody asks for them: at a cost that follows what has changed since
// (docs/decisions/0163-stale-results-are-marked.md).
import { setTimeout as sleep } from 'node:timers/promises';
import { exactTimeText } from '../../../platform/instant.ts';
import { isReadOnly } from '../../../platform/store-away.ts';
import type { Written } from './changed-results.store.ts';
import { compareChanged } from './compare-changed.ts';
import { compareDue } from './compare-due.ts';
import { type CompareDeps, comparedKey, rememberCompared } from './examine.ts';
import type { StaleResult } from './listed-marks.store.ts';
import { RememberedRules } from './remembered-rules.ts';
import { findBasis, findComplete, noteComplete, type StaleBasis } from './stale-results.store.ts';
import type { KeptComparison } from './staleness.service.ts';
import type { ImageFollower } from './follow-images.ts';
import { type ChangedEntities, EntityFollower, type FollowDeps } from './follow-entities.ts';

export interface StaleMarksDeps extends FollowDeps, Omit<CompareDeps, 'compared' | 'revision'> {
  readonly images: Pick<ImageFollower, 'lookBriefly'>;
}

export interface Looked {
  readonly isComplete: boolean;
  /** The revision of the rules when the look began. */
  readonly revision: string | null;
  /** Until when all that has changed was looked at. */
  readonly upTo: string | null;
  /** What marks were in, where nothing had changed: what was read in the same is as it should be. */
  readonly state: string | null;
  /** What was written of few changes, to what was read before it. */
  readonly written: Written | null;
}

const UNKNOWN = { state: null, written: null };

/** How long an answer waits for them. */
const MAX_WAIT_MS = 5000;

export class StaleMarks {
  readonly #deps: StaleMarksDeps;
  readonly #entities: EntityFollower;
  readonly #compared = rememberCompared();
  #rules = new RememberedRules('');
  readonly #stop = new AbortController();
  #running: Promise<Looked> | null = null;
  #next: Promise<Looked> | null = null;
  /** Who asks does not wait for it: it is for those who cannot wait until all was looked at. */
  #noted: Promise<void> = Promise.resolve();

  constructor(deps: StaleMarksDeps) {
    this.#deps = deps;
    this.#entities = new EntityFollower(deps);
  }

  /**
   * Looks at everything that has changed until now; goes on without the caller after a while.
   * @throws DomainError `component_unavailable`
   */
  async catchUp(waitMs = MAX_WAIT_MS): Promise<Looked> {
    const done = this.#afterNow();
    done.catch((err: unknown) => {
      if (this.#stop.signal.aborted) return;
      this.#deps.log.warn({ err }, 'what has changed for stale results could not be followed to its end');
    });
    const late = new AbortController();
    try {
      const looked = await Promise.race([done, sleep(waitMs, null, { signal: late.signal })]);
      return looked ?? (await this.#incomplete());
    } finally {
      late.abort();
    }
  }

  async #incomplete(): Promise<Looked> {
    return { isComplete: false, revision: null, upTo: await findComplete(this.#deps.db), ...UNKNOWN };
  }

  /** What this process has found of the productions of marks, where nothing has changed since: when everything was looked at. */
  compared(
    marks: readonly Pick<StaleResult, 'productionId' | 'compared'>[],
  ): ReadonlyMap<string, KeptComparison> {
    return new Map(
      marks.flatMap(({ productionId, compared }) => {
        const known = compared === null ? undefined : this.#compared.get(comparedKey(productionId, compared));
        return known === undefined ? [] : [[productionId, known] as const];
      }),
    );
  }

  /** One that has begun already may have missed what the caller knows of: the next one is shared. */
  #afterNow(): Promise<Looked> {
    if (this.#running === null) return (this.#running = this.#run());
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return (this.#running = this.#run());
      });
    return this.#next;
  }

  async #run(): Promise<Looked> {
    try {
      await this.#deps.images.lookBriefly();
      const began = performance.now();
      const ahead = this.#entities.askAhead();
      const basis = await findBasis(this.#deps.db);
      // what was asked ahead saw what had changed until then, by the clock of the database
      const upTo = earlier(basis.now, performance.now() - began);
      const changed = basis.isDue ? null : await this.#entities.few(basis, ahead);
      const looked = { isComplete: true, revision: basis.revision, upTo, ...UNKNOWN };
      const few = changed !== null && changed.size > 0 ? await this.#compareFew(basis, changed, upTo) : null;
      if (few?.isDue === false) return { ...looked, written: few, state: few.state };
      const isSame = changed?.size === 0;
      if (!isSame && !(await this.#compareAll(basis, few !== null))) return await this.#incomplete();
      this.#note(upTo);
      return { ...looked, state: isSame ? basis.state : null };
    } finally {
      this.#running = null;
    }
  }

  async #compareFew(basis: StaleBasis, changed: ChangedEntities, until: string): Promise<Written | null> {
    const { revision } = basis;
    if (this.#rules.revision !== revision) this.#rules = new RememberedRules(revision);
    const deps = { ...this.#deps, compared: this.#compared, revision, rules: this.#rules };
    return compareChanged(deps, basis, changed, until);
  }

  /**
   * @param isFollowed whether what entities have changed was looked at, and something is due after it
   * @returns false where something could not be compared
   */
  async #compareAll(basis: StaleBasis, isFollowed: boolean): Promise<boolean> {
    const putOff = new Set<string>();
    const compare = { ...this.#deps, compared: this.#compared, revision: basis.revision };
    let isDue = isFollowed || (await this.#entities.follow(basis, this.#stop.signal)) || basis.isDue;
    while (isDue) {
      this.#stop.signal.throwIfAborted();
      isDue = await compareDue(compare, putOff);
    }
    return putOff.size === 0;
  }

  #note(upTo: string): void {
    this.#noted = this.#noted
      .then(() => noteComplete(this.#deps.db, upTo))
      .catch((err: unknown) => {
        if (isReadOnly(err)) return; // a standby is told by its primary
        this.#deps.log.warn({ err }, 'until when all was looked at for stale results could not be noted');
      });
  }

  /** Goes on no more. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the server was stopped'));
    await (this.#next ?? this.#running)?.catch(() => undefined);
    await this.#noted;
  }
}

/** An instant so much before, in whole milliseconds. */
const earlier = (instant: string, milliseconds: number): string =>
  exactTimeText(new Date(Date.parse(instant) - Math.ceil(milliseconds)));
