// The calls of a container engine that cwltool may make: running the images of its workflow over the files of
// its run. Everything else is refused, because the engine could do anything to this machine.
import { realpath } from 'node:fs/promises';
import path from 'node:path';

export interface EnginePolicy {
  /** Names of images that may be pulled and run. */
  readonly images: readonly string[];
  /** The engine's network for tools that ask for one. */
  readonly network: string;
  /** Directories of the run that containers may write to, absolute. */
  readonly writable: readonly string[];
  /** Files and directories that containers may read, absolute. */
  readonly readable: readonly string[];
  /** The directory of container id files. */
  readonly ids: string;
}

export class EngineRefused extends Error {}

const isWithin = (place: string, root: string): boolean =>
  place === root || place.startsWith(`${root}${path.sep}`);

/** The fields of a CSV line, as cwltool writes mounts. */
function fieldsOf(line: string): readonly string[] {
  const fields = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)];
  if (fields.map(([all]) => all).join('') !== line)
    throw new EngineRefused(`the mount cannot be parsed: ${line}`);
  return fields.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

async function checkMount(text: string, { writable, readable }: EnginePolicy): Promise<void> {
  const [type, source, target, mode, ...rest] = fieldsOf(text);
  const place = source?.startsWith('source=') === true ? source.slice('source='.length) : null;
  if (
    type !== 'type=bind' ||
    place === null ||
    target?.startsWith('target=/') !== true ||
    (mode !== undefined && mode !== 'readonly') ||
    rest.length > 0
  )
    throw new EngineRefused(`the mount is not a bind mount of the run's files: ${text}`);
  const real = await realpath(place).catch(() => null);
  const allowed = mode === 'readonly' ? [...writable, ...readable] : writable;
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => root)));
  if (real === null || real !== path.resolve(place) || !roots.some((root) => isWithin(real, root)))
    throw new EngineRefused(`the mounted path does not belong to the run: ${place}`);
}

/** cwltool's options, with the check of their values. */
const OPTIONS: readonly RegExp[] = [
  /^-i$/,
  /^--rm$/,
  /^--userns=keep-id$/,
  /^--workdir=\/[^\0]*$/,
  /^--read-only=true$/,
  /^--net=none$/,
  /^--log-driver=none$/,
  /^--user=\d+:\d+$/,
  /^--env=[A-Za-z_][A-Za-z0-9_]*=[^\0]*$/,
  /^--gpus=\d+$/,
];

async function checkRun(words: readonly string[], policy: EnginePolicy): Promise<void> {
  const end = words.findIndex((word) => !word.startsWith('-'));
  const image = words[end];
  if (image === undefined || !policy.images.includes(image))
    throw new EngineRefused(`the image is not named by the workflow: ${image ?? 'none'}`);
  for (const word of words.slice(0, end)) {
    if (word.startsWith('--mount=')) await checkMount(word.slice('--mount='.length), policy);
    else if (word.startsWith('--cidfile=')) {
      const file = word.slice('--cidfile='.length);
      if (path.dirname(file) !== policy.ids || !/^[0-9-]+\.cid$/.test(path.basename(file)))
        throw new EngineRefused(`the id file is outside the run's directory: ${file}`);
    } else if (word !== `--net=${policy.network}` && !OPTIONS.some((option) => option.test(word)))
      throw new EngineRefused(`the option is not allowed: ${word}`);
  }
}

/** @throws EngineRefused if the arguments, without the engine's name, ask for more than a run needs */
export async function checkEngineCall(
  [verb, ...words]: readonly string[],
  policy: EnginePolicy,
): Promise<void> {
  if (verb === 'run') return checkRun(words, policy);
  if (verb === 'images' && words.join(' ') === '--no-trunc --all') return;
  if (verb === 'pull' && words.length === 1 && policy.images.includes(words[0] ?? '')) return;
  throw new EngineRefused(`the command is not allowed: ${[verb, ...words].join(' ')}`);
}
