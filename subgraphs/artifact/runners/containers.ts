// Runs a workflow's tools in the container images that it names, by an engine of this machine; else says what becomes of those images (contract 4 «Allowlist of container images»).
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CwlDemands } from '../cwl/requirements.ts';
import type { RunLimits } from './runner.ts';
import { findProgram, ownNode, ownPath } from './programs.ts';
import type { Sandbox } from './sandbox.ts';

const run = promisify(execFile);

export type ContainerEngine = 'none' | 'docker' | 'podman' | 'singularity' | 'udocker';

export interface ContainerSettings {
  readonly containerEngine: ContainerEngine;
  /** For tools that name no image in workflows where others do. */
  readonly defaultImage?: string | undefined;
  /** The engine's network for tools that ask for one: what it leads to is the operator's to filter. `none`: they get none. */
  readonly containerNetwork: string;
}

/** What a workflow says of images. Some of it is not known of workflows that were registered long ago. */
export type ImageDemands = Pick<CwlDemands, 'images' | 'otherContainers'> & Partial<Pick<CwlDemands, 'imagesRequired' | 'withoutImage'>>;

export const namesImages = ({ images, otherContainers }: ImageDemands): boolean => images.length + otherContainers.length > 0;

/** What is to be known of a workflow's images that are not used; null where there is nothing to say. */
export const imageNote = (demands: ImageDemands, { containerEngine }: ContainerSettings): string | null =>
  (containerEngine === 'none' && namesImages(demands) ? `container images are not used (${[...demands.images, ...demands.otherContainers].join(', ')}): its tools are those of this machine (artifact.runner.container_engine)` : null);

/** Why a workflow cannot be run for the images that it names; null where it can. Whether the engine is there is another question. */
export function imageTrouble(demands: ImageDemands, { containerEngine, defaultImage }: ContainerSettings): string | null {
  if (!namesImages(demands)) return null;
  if (containerEngine === 'none') {
    return demands.imagesRequired === true ? `the workflow requires container images (${[...demands.images, ...demands.otherContainers].join(', ')}), and none can be run here: set artifact.runner.container_engine to docker, podman, singularity or udocker` : null;
  }
  if (demands.otherContainers.length > 0) return `the workflow builds or loads container images itself (${demands.otherContainers.join(', ')}): only images that are pulled by name can be run`;
  return demands.withoutImage === true && defaultImage === undefined
    ? 'the workflow names container images for some of its tools only: outside of containers none is run beside them; name images for all, or set artifact.runner.default_image' : null;
}

/** Why the engine cannot be used now, and what to do; null where it can. */
export function engineTrouble(engine: Exclude<ContainerEngine, 'none'>, toolPaths: readonly string[]): Promise<string | null> {
  const args = engine === 'docker' || engine === 'podman' ? ['version'] : ['--version']; // the first two ask their service, too
  return run(engine, args, { timeout: 30_000, env: { ...process.env, PATH: [...toolPaths, process.env['PATH'] ?? ''].join(':') } })
    .then(() => null, () => `${engine} cannot be used on this machine, and the workflow names container images: install and start it, or set artifact.runner.container_engine`);
}

const FLAGS: Readonly<Record<Exclude<ContainerEngine, 'none'>, readonly string[]>> = { docker: [], podman: ['--podman'], singularity: ['--singularity'], udocker: ['--udocker'] };

/** What engines need of our environment: where they keep images, and whom they ask. Tools in containers see nothing of it. */
const PASSED = [
  'HOME', 'XDG_RUNTIME_DIR', 'XDG_DATA_HOME', 'DOCKER_HOST', 'DOCKER_CONFIG', 'DOCKER_CONTEXT', 'CONTAINER_HOST', 'CONTAINERS_CONF', 'REGISTRY_AUTH_FILE', 'CWL_SINGULARITY_CACHE', 'SINGULARITY_CACHEDIR', 'APPTAINER_CACHEDIR',
  'UDOCKER_DIR', 'http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY',
];

/** More than any sensible workflow has at once. */
const MOST_PROCESSES = 1000;
const isManaged = (engine: ContainerEngine): engine is 'docker' | 'podman' => engine === 'docker' || engine === 'podman';
const containersOf = (root: string): string => path.join(root, 'containers');
const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

/**
 * The engine, with limits. cwltool waits for ever for the file with a container's id where there is no container, and asks podman for what it refuses to root.
 * What cwltool itself says stands before anything of the tool's: only the first of each word is meant.
 */
const asCwltoolNeedsIt = (engine: string, isRoot: boolean, limits: string): string => `[ "$1" = run ] || exec ${engine} "$@"
shift
id='' user=${isRoot ? '' : 'kept'}
for word do
  shift
  case "$word" in
    --cidfile=*) id=\${id:-\${word#--cidfile=}} ;;
    --userns=keep-id) [ "$user" ] || { user=left; continue; } ;;
  esac
  set -- "$@" "$word"
done
${engine} run ${limits} "$@"
status=$?
[ -z "$id" ] || [ -e "$id" ] || echo - > "$id"
exit $status`;

export interface Containers {
  /** For cwltool. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Lays out what cwltool needs to use an engine, outside of our sandbox: the engine's containers are the tools' sandbox. What is left to cwltool itself,
 * JavaScript, still runs in ours. Docker and podman are told the limits: their containers are no processes of ours.
 */
export async function prepareContainers(engine: Exclude<ContainerEngine, 'none'>, { defaultImage, containerNetwork }: ContainerSettings, root: string, { toolPaths, sandbox, limits }: { readonly toolPaths: readonly string[]; readonly sandbox: Sandbox; readonly limits: RunLimits }): Promise<Containers> {
  const own = path.join(root, 'bin');
  await mkdir(own);
  await mkdir(containersOf(root));
  const places = [...toolPaths, ...ownPath()];
  const script = (name: string, text: string): Promise<void> => writeFile(path.join(own, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const real = await findProgram(engine, places);
  if (isManaged(engine) && real !== null) {
    await script(engine, asCwltoolNeedsIt(quoted([real]), engine === 'podman' && process.getuid?.() === 0, `--memory ${limits.ram} --pids-limit ${MOST_PROCESSES}`));
  }
  const empty = path.join(root, 'javascript');
  await mkdir(empty);
  await sandbox.prepare(empty);
  const node = { command: ownNode().file, args: [], cwd: empty, env: {} };
  const { command, args } = sandbox.kind === 'bubblewrap' ? sandbox.wrap(node, { directory: empty, readable: ownNode().readable }) : node;
  for (const name of ['node', 'nodejs']) await script(name, `exec ${quoted([command, ...args])} "$@"`);
  return {
    args: [...FLAGS[engine], '--custom-net', containerNetwork, ...(defaultImage === undefined ? [] : ['--default-container', defaultImage]), ...(isManaged(engine) ? ['--cidfile-dir', containersOf(root)] : [])],
    env: { ...Object.fromEntries(PASSED.flatMap((name) => { const value = process.env[name]; return value === undefined ? [] : [[name, value]]; })), PATH: [own, ...places].join(':') },
  };
}

/** Takes away what is left of a run's containers: they are not processes of ours, and do not end with us. */
export async function removeContainers(engine: ContainerEngine, root: string, toolPaths: readonly string[]): Promise<void> {
  if (!isManaged(engine)) return;
  const directory = containersOf(root);
  for (const file of await readdir(directory).catch(() => [])) { // none were prepared
    const id = (await readFile(path.join(directory, file), 'utf8')).trim();
    const real = /^[0-9a-zA-Z]+$/.test(id) ? await findProgram(engine, [...toolPaths, ...ownPath()]) : null;
    if (real !== null) await run(real, ['rm', '--force', id], { timeout: 30_000 }).catch(() => undefined); // gone already, as most are
  }
}
