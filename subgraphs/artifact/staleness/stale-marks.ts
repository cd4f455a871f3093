// Keeps the marks of stale results up to date when somebody asks for them: at a cost that follows what has changed since
// (docs/decisions/0163-stale-results-are-marked.md).
import { setTimeout as sleep } from 'node:timers/promises';
import { isReadOnly } from '../../../platform/store-away.ts';
import { type CompareDeps, compareDue, comparedKey, rememberCompared } from './compare-due.ts';
import { findBasis, findComplete, noteComplete, type StaleResult } from './stale-results.store.ts';
import type { KeptComparison } from './staleness.service.ts';
import type { ImageFollower } from './follow-images.ts';
import { EntityFollower, type FollowDeps } from './follow-entities.ts';

export interface StaleMarksDeps extends FollowDeps, Omit<CompareDeps, 'compared' | 'revision'> {
  readonly images: Pick<ImageFollower, 'lookBriefly'>;
}

export interface Looked {
  readonly isComplete: boolean;
  /** The revision of the rules when the look began. */
  readonly revision: string | null;
  /** Until when all that has changed was looked at. */
  readonly upTo: string | null;
}

/** How long an answer waits for them. */
const MAX_WAIT_MS = 5000;

export class StaleMarks {
  readonly #deps: StaleMarksDeps;
  readonly #entities: EntityFollower;
  readonly #compared = rememberCompared();
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
    return { isComplete: false, revision: null, upTo: await findComplete(this.#deps.db) };
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
    const { db } = this.#deps;
    try {
      await this.#deps.images.lookBriefly();
      const basis = await findBasis(db);
      let isDue = (await this.#entities.follow(basis, this.#stop.signal)) || basis.isDue;
      const putOff = new Set<string>();
      const compare = { ...this.#deps, compared: this.#compared, revision: basis.revision };
      while (isDue) {
        isDue = await compareDue(compare, putOff);
        this.#stop.signal.throwIfAborted();
      }
      if (putOff.size > 0) return await this.#incomplete();
      this.#noted = this.#noted
        .then(() => noteComplete(db, basis.now))
        .catch((err: unknown) => {
          if (isReadOnly(err)) return; // a standby is told by its primary
          this.#deps.log.warn({ err }, 'until when all was looked at for stale results could not be noted');
        });
      return { isComplete: true, revision: basis.revision, upTo: basis.now };
    } finally {
      this.#running = null;
    }
  }

  /** Goes on no more. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the server was stopped'));
    await (this.#next ?? this.#running)?.catch(() => undefined);
    await this.#noted;
  }
}
