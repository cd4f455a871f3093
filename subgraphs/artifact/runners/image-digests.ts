// Which content the names of container images stand for (docs/reference/artifact.md#container-images).
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inGroups } from '../../../platform/in-groups.ts';
import { isList, isObject } from '../../../platform/json-object.ts';
import type { Command } from './supervised-process.ts';

const run = promisify(execFile);

/** An image by the name that a workflow gives it, and what the name stood for. */
export interface UsedImage {
  readonly image: string;
  /** By which registries have it, `sha256:…`; null where it is not known, and for one that was built here. */
  readonly digest: string | null;
  /** Of its content, as the engine of the machine names it, `sha256:…`; null where it is not known. */
  readonly imageId: string | null;
}

const TIMEOUT_MS = 30_000;
const AT_ONCE = 4;
const MAX_TOLD = 16 * 1024 * 1024;

const unknown = (image: string): UsedImage => ({ image, digest: pinnedDigest(image), imageId: null });

/** The digest that is part of the name. */
const pinnedDigest = (image: string): string | null => /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1] ?? null;

/** Where names alone tell: an engine that cannot be asked runs them. */
export const namedImages = (images: readonly string[]): readonly UsedImage[] => images.map(unknown);

/** Without tag and digest. */
const repositoryOf = (image: string): string => image.replace(/@.*$/s, '').replace(/:[^/:]*$/s, '');

/** That of the repository of the name, which engines may write in full; of another one, if there is none. */
function digestAmong(image: string, told: readonly string[]): string | null {
  const repository = repositoryOf(image);
  const own = told.filter((one) => {
    const name = repositoryOf(one);
    return name === repository || name.endsWith(`/${repository}`);
  });
  const [first] = (own.length > 0 ? own : told).toSorted();
  return first === undefined ? null : pinnedDigest(first);
}

function readImage(image: string, told: unknown): UsedImage {
  if (!isObject(told) || typeof told['Id'] !== 'string')
    throw new Error(`the engine told of ${image} in another form`);
  const digests = isList(told['RepoDigests']) ? told['RepoDigests'].map(String) : [];
  const digest = pinnedDigest(image) ?? digestAmong(image, digests);
  return { image, digest, imageId: `sha256:${told['Id'].replace('sha256:', '')}` };
}

const isAbsent = (text: string): boolean => /no such image|not known|failed to find image/i.test(text);

const imagesIn = (text: string): readonly unknown[] => {
  const parsed: unknown = JSON.parse(text);
  return isList(parsed) ? parsed : [];
};

/** Those that the engine has, in the order in which it was asked, and what it says of the others. */
async function ask(
  { command, args, cwd, env }: Command,
  images: readonly string[],
  stop: AbortSignal | undefined,
): Promise<{ readonly told: readonly unknown[]; readonly complaint: string }> {
  const options = { cwd, env, timeout: TIMEOUT_MS, maxBuffer: MAX_TOLD, ...(stop && { signal: stop }) };
  try {
    const { stdout } = await run(command, [...args, 'image', 'inspect', ...images], options);
    return { told: imagesIn(stdout), complaint: '' };
  } catch (fault) {
    if (!isObject(fault) || !isAbsent(String(fault['stderr']))) throw fault;
    return { told: imagesIn(String(fault['stdout']) || '[]'), complaint: String(fault['stderr']) };
  }
}

/** @throws Error if the engine cannot be asked; `imageId` is null where it has no such image */
async function inspect(engine: Command, image: string, stop?: AbortSignal): Promise<UsedImage> {
  if (image.startsWith('-')) return unknown(image); // it would be an option
  const { told, complaint } = await ask(engine, [image], stop);
  return complaint === '' ? readImage(image, told[0]) : unknown(image);
}

/** With one call; one by one where it does not say which of them it has not. */
async function inspectTogether(
  engine: Command,
  images: readonly string[],
  stop: AbortSignal | undefined,
): Promise<readonly UsedImage[]> {
  const { told, complaint } = await ask(engine, images, stop);
  const words = new Set(complaint.split(/[\s"',]+/).flatMap((word) => [word, word.replace(/:$/, '')]));
  const held = images.filter((image) => !words.has(image));
  if (held.length !== told.length) return inGroups(images, AT_ONCE, (image) => inspect(engine, image, stop));
  const found = new Map(held.map((image, i) => [image, readImage(image, told[i])]));
  return images.map((image) => found.get(image) ?? unknown(image));
}

/** Names of one call. */
const TOGETHER = 100;

/** @throws Error if the engine cannot be asked, or the reason of `stop` */
export async function inspectImages(
  engine: Command,
  images: readonly string[],
  stop?: AbortSignal,
): Promise<readonly UsedImage[]> {
  const names = images.filter((image) => !image.startsWith('-')); // it would be an option
  const found: UsedImage[] = [];
  for (let at = 0; at < names.length; at += TOGETHER)
    found.push(...(await inspectTogether(engine, names.slice(at, at + TOGETHER), stop)));
  return found;
}

/** The images that one run uses: a name is told only if it stands for the same content until the end. */
export class ImagesOfRun {
  readonly #engine: Command;
  /** Null: the engine did not answer. */
  readonly #first = new Map<string, Promise<UsedImage | null>>();

  constructor(engine: Command) {
    this.#engine = engine;
  }

  /** Resolves before a container of it is started. */
  async note(image: string): Promise<void> {
    const known = this.#first.get(image) ?? this.#ask(image);
    this.#first.set(image, known);
    await known;
  }

  async all(): Promise<readonly UsedImage[]> {
    return inGroups([...this.#first], AT_ONCE, async ([image, first]) => {
      const [before, after] = [await first, await this.#ask(image)];
      if (before === null || after === null) return unknown(image);
      // the engine may have fetched it to start the container
      return before.imageId === null || before.imageId === after.imageId ? after : unknown(image);
    });
  }

  /** An engine that does not answer here may still run the container: then what it ran is not known. */
  #ask(image: string): Promise<UsedImage | null> {
    return inspect(this.#engine, image).catch(() => null);
  }
}
