// Runs a workflow's tools in the container images that it names, by an engine of this machine
// (docs/reference/artifact.md#container-images).
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Broker, BROKER_SOCKET, layStandIns, quoted, startBroker } from './engine-broker.ts';
import type { ContainerEngine, ContainerSettings, ImageDemands } from './image-demands.ts';
import { ImagesOfRun, inspectImages, namedImages, type UsedImage } from './image-digests.ts';
import { findProgram, ownNode, ownPath } from './programs.ts';
import type { RunLimits } from './run-limits.ts';
import type { Sandbox } from './sandbox.ts';
import type { Command } from './supervised-process.ts';

const run = promisify(execFile);

/** Why the engine cannot be used now, and what to do; null if it can. */
export function engineTrouble(
  engine: Exclude<ContainerEngine, 'none'>,
  toolPaths: readonly string[],
): Promise<string | null> {
  // the first two ask their service, too
  const args = engine === 'docker' || engine === 'podman' ? ['version'] : ['--version'];
  return run(engine, args, {
    timeout: 30_000,
    env: { ...process.env, PATH: [...toolPaths, process.env['PATH'] ?? ''].join(':') },
  }).then(
    () => null,
    () =>
      `the workflow names container images, but ${engine} cannot be used on this machine: install and start it, or change artifact.runner.container_engine`,
  );
}

const FLAGS: Readonly<Record<Exclude<ContainerEngine, 'none'>, readonly string[]>> = {
  docker: [],
  podman: ['--podman'],
  singularity: ['--singularity'],
  udocker: ['--udocker'],
};

/**
 * Environment variables that engines need: the location of their images and service. Tools in containers do
 * not see them.
 */
const PASSED = [
  'HOME',
  'XDG_RUNTIME_DIR',
  'XDG_DATA_HOME',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'DOCKER_CONTEXT',
  'CONTAINER_HOST',
  'CONTAINERS_CONF',
  'REGISTRY_AUTH_FILE',
  'CWL_SINGULARITY_CACHE',
  'SINGULARITY_CACHEDIR',
  'APPTAINER_CACHEDIR',
  'UDOCKER_DIR',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

/** Maximum processes of a container, more than any sensible workflow has. */
const MAX_PROCESSES = 1000;
const isManaged = (engine: ContainerEngine): engine is 'docker' | 'podman' =>
  engine === 'docker' || engine === 'podman';
const containersOf = (root: string): string => path.join(root, 'containers');

/** Why the engine cannot be used if tools must run in a sandbox; null if it can. */
export const confinementTrouble = (engine: ContainerEngine): string | null =>
  engine === 'singularity' || engine === 'udocker'
    ? `tools of workflows must run in a sandbox, which does not work for cwltool with ${engine}: use docker or podman, or set artifact.runner.sandbox to preferred, which lets cwltool read everything that the server can read`
    : null;

export interface Containers {
  /** For cwltool. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The command that runs the engine; null for one that cwltool runs itself. */
  readonly broker: Broker | null;
  /** The images that it has used, when it has ended. */
  readonly used: () => Promise<readonly UsedImage[]>;
}

export interface ContainerRun {
  readonly toolPaths: readonly string[];
  readonly sandbox: Sandbox;
  readonly limits: RunLimits;
  readonly demands: ImageDemands;
  /** Directory that precedes cwltool's PATH. */
  readonly programs: string;
  /** The files and directories of the run's inputs. */
  readonly given: readonly string[];
}

const engineEnvironment = (places: readonly string[]): Record<string, string> => ({
  ...Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  PATH: places.join(':'),
});

const imagesOf = ({ images }: ImageDemands, defaultImage: string | undefined): readonly string[] => [
  ...images,
  ...(defaultImage === undefined ? [] : [defaultImage]),
];

async function engineCommand(
  engine: 'docker' | 'podman',
  toolPaths: readonly string[],
  cwd: string,
): Promise<Command> {
  const places = [...toolPaths, ...ownPath()];
  const command = (await findProgram(engine, places)) ?? engine;
  return { command, args: [], cwd, env: engineEnvironment(places) };
}

/**
 * What the names stand for on this machine now; null where no engine is used that can be asked.
 * @throws Error if it does not answer
 */
export async function imagesNow(
  { containerEngine }: ContainerSettings,
  toolPaths: readonly string[],
  images: readonly string[],
  stop: AbortSignal,
): Promise<readonly UsedImage[] | null> {
  if (!isManaged(containerEngine)) return null;
  return inspectImages(await engineCommand(containerEngine, toolPaths, '/'), images, stop);
}

/** Runs JavaScript in a sandbox of its own, which contains nothing of the run. */
async function javascriptOf(root: string, sandbox: Sandbox): Promise<(args: readonly string[]) => Command> {
  const empty = path.join(root, 'javascript');
  await mkdir(empty);
  await sandbox.prepare(empty);
  return (args) => {
    const node: Command = { command: ownNode().file, args, cwd: empty, env: { PATH: '/usr/bin:/bin' } };
    return sandbox.kind === 'bubblewrap'
      ? sandbox.wrap(node, { directory: empty, readable: ownNode().readable })
      : node;
  };
}

/**
 * Prepares the use of docker or podman from inside the sandbox: programs that pass calls to a broker outside.
 * Containers are the tools' sandbox; they receive the limits as options, because they are not our child
 * processes.
 */
async function brokered(
  engine: 'docker' | 'podman',
  { defaultImage, containerNetwork }: ContainerSettings,
  root: string,
  { toolPaths, sandbox, limits, demands, programs, given }: ContainerRun,
): Promise<Containers> {
  const inRun = (...names: readonly string[]): string[] => names.map((name) => path.join(root, name));
  const command = await engineCommand(engine, toolPaths, root);
  const used = new ImagesOfRun(command);
  const broker = await startBroker({
    engine: command,
    onImage: (image) => used.note(image),
    policy: {
      images: imagesOf(demands, defaultImage),
      network: containerNetwork,
      writable: inRun('scratch', 'outputs'),
      readable: [...inRun('workflow'), ...given],
      ids: containersOf(root),
    },
    limits: ['--memory', String(limits.ram), '--pids-limit', String(MAX_PROCESSES)],
    refusesKeepId: engine === 'podman' && process.getuid?.() === 0,
    javascript: await javascriptOf(root, sandbox),
    account: sandbox.account,
  });
  await rm(programs, { recursive: true });
  await mkdir(programs);
  await layStandIns(programs, ownNode().file, sandbox.kind === 'bubblewrap' ? BROKER_SOCKET : broker.socket, {
    [engine]: engine,
    node: 'node',
    nodejs: 'node',
  });
  return { args: ['--cidfile-dir', containersOf(root)], env: {}, broker, used: () => used.all() };
}

/**
 * Prepares the use of an engine outside the sandbox. cwltool itself still evaluates JavaScript in our
 * sandbox.
 */
async function beside(
  { defaultImage }: ContainerSettings,
  root: string,
  { toolPaths, sandbox, demands }: ContainerRun,
): Promise<Containers> {
  const own = path.join(root, 'bin');
  await mkdir(own);
  const javascript = await javascriptOf(root, sandbox);
  const { command, args } = javascript([]);
  for (const name of ['node', 'nodejs'])
    await writeFile(path.join(own, name), `#!/bin/sh\nexec ${quoted([command, ...args])} "$@"\n`, {
      mode: 0o755,
    });
  // it makes files of its own of what it fetches, which differ each time: only the names tell
  const images = imagesOf(demands, defaultImage);
  return {
    args: [],
    env: engineEnvironment([own, ...toolPaths, ...ownPath()]),
    broker: null,
    used: () => Promise.resolve(namedImages(images)),
  };
}

/** Prepares the use of an engine by cwltool. */
export async function prepareContainers(
  engine: Exclude<ContainerEngine, 'none'>,
  settings: ContainerSettings,
  root: string,
  run: ContainerRun,
): Promise<Containers> {
  await mkdir(containersOf(root));
  const { args, ...containers } = isManaged(engine)
    ? await brokered(engine, settings, root, run)
    : await beside(settings, root, run);
  return {
    ...containers,
    args: [
      ...FLAGS[engine],
      '--custom-net',
      settings.containerNetwork,
      ...(settings.defaultImage === undefined ? [] : ['--default-container', settings.defaultImage]),
      ...args,
    ],
  };
}

/** Removes the remaining containers of a run: they are not our child processes, and do not end with us. */
export async function removeContainers(
  engine: ContainerEngine,
  root: string,
  toolPaths: readonly string[],
): Promise<void> {
  if (!isManaged(engine)) return;
  const directory = containersOf(root);
  for (const file of await readdir(directory).catch(() => [])) {
    // none were prepared
    const id = (await readFile(path.join(directory, file), 'utf8')).trim();
    const real = /^[0-9a-zA-Z]+$/.test(id) ? await findProgram(engine, [...toolPaths, ...ownPath()]) : null;
    // already gone, as most are
    if (real !== null) await run(real, ['rm', '--force', id], { timeout: 30_000 }).catch(() => undefined);
  }
}
