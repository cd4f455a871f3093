// Which container images the machines that run workflows have: as runs used them, and as they are found when somebody asks
// what is stale (docs/decisions/0178-images-are-compared-with-what-machines-have.md).
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import { everyHour } from '../../../platform/hourly.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { StoredImage } from '../productions/production.ts';
import type { UsedImage } from '../runners/image-digests.ts';
import type { Runner } from '../runners/runner.ts';
import {
  forgetMachines,
  keepMachineImages,
  listMachineImages,
  type MachineImage,
  makeMadeInDue,
} from './image-now.store.ts';
import { lockPositions } from './stale-results.store.ts';

/** An engine is asked at most so often. */
const EVERY_MS = 60_000;
/** How long lists of stale results wait for it. */
const WAIT_MS = 500;
const FAILED = 'which images this machine has could not be looked at';

export interface ImageDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly runner: Pick<Runner, 'imagesNow'>;
  readonly log: Logger;
  /** The name of this machine. */
  readonly machine?: string;
}

export const storedImage = ({ image, digest, imageId }: UsedImage): StoredImage => ({
  image,
  digest,
  image_id: imageId,
});

/** The names that stand for something else on some machine; one without the image changes no answer. */
function imagesChanged(before: readonly MachineImage[], after: readonly MachineImage[]): readonly string[] {
  const keyOf = ({ image, image_id: id, digest }: MachineImage): string => canonicalJson([image, id, digest]);
  const held = (rows: readonly MachineImage[]): ReadonlyMap<string, string> =>
    new Map(rows.flatMap((row) => (row.image_id === null ? [] : [[keyOf(row), row.image] as const])));
  const [was, is] = [held(before), held(after)];
  const changed = [...[...was].filter(([key]) => !is.has(key)), ...[...is].filter(([key]) => !was.has(key))];
  return [...new Set(changed.map(([, image]) => image))];
}

export class ImageFollower {
  readonly #deps: ImageDeps;
  readonly #machine: string;
  #lookedAt = -Infinity;
  #looking: Promise<void> | null = null;
  readonly #stop = new AbortController();
  #endHourly = (): Promise<void> => Promise.resolve();

  constructor(deps: ImageDeps) {
    this.#deps = deps;
    this.#machine = deps.machine ?? os.hostname();
  }

  /** Looks every hour until it is closed. */
  begin(): void {
    this.#endHourly = everyHour(() =>
      this.look().catch((err: unknown) => {
        this.#deps.log.warn({ err }, FAILED);
      }),
    );
  }

  /** Ends what it asks the engine, too. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the server was stopped'));
    await this.#endHourly();
    await this.#looking?.catch(() => undefined); // told by who waits for it
  }

  /** What a run has used is what this machine has. */
  async note(used: readonly UsedImage[]): Promise<void> {
    await this.#keep(used.filter(({ imageId }) => imageId !== null).map(storedImage));
  }

  /**
   * Looks at what this machine has of the images that results were made in, if it has not been done just now. Without an
   * answer of the engine it is as it was found last.
   */
  async look(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    if (this.#looking === null && performance.now() - this.#lookedAt < EVERY_MS) return;
    this.#looking ??= this.#look()
      .then(() => {
        this.#lookedAt = performance.now();
      })
      .finally(() => {
        this.#looking = null;
      });
    await this.#looking;
  }

  /** The same, but an engine that takes its time is not waited for: then it is as it was found last. */
  async lookBriefly(): Promise<void> {
    const late = new AbortController();
    const looking = this.look();
    const goesOn = sleep(WAIT_MS, true, { signal: late.signal });
    try {
      if ((await Promise.race([looking, goesOn])) === true)
        looking.catch((err: unknown) => {
          this.#deps.log.warn({ err }, FAILED);
        });
    } finally {
      goesOn.catch(() => undefined); // it is not waited for any more
      late.abort();
    }
  }

  async #look(): Promise<void> {
    const { db, runner, log } = this.#deps;
    const names = new Set((await listMachineImages(db)).map(({ image }) => image));
    if (names.size === 0) return;
    let images: readonly UsedImage[] = [];
    try {
      images = (await runner.imagesNow?.([...names], this.#stop.signal)) ?? [];
    } catch (err) {
      if (this.#stop.signal.aborted) return;
      log.warn({ err }, 'the container engine did not tell which images it has');
    }
    await this.#keep(images.map(storedImage));
  }

  async #keep(images: readonly StoredImage[]): Promise<void> {
    const { db, transact } = this.#deps;
    const rows = await listMachineImages(db);
    const known = new Map(rows.flatMap((row) => (row.machine === this.#machine ? [[row.image, row]] : [])));
    const news = images.filter(({ image, digest, image_id: id }) => {
      const row = known.get(image);
      if (row === undefined || row.digest !== digest || row.image_id !== id) return true;
      return id !== null && !row.isRecent;
    });
    if (news.length === 0 && !rows.some((row) => row.isOver)) return;
    await transact(async (tx) => {
      await lockPositions(tx);
      const before = await listMachineImages(tx);
      await keepMachineImages(tx, this.#machine, news);
      await forgetMachines(tx);
      await makeMadeInDue(tx, imagesChanged(before, await listMachineImages(tx)));
    });
  }
}
