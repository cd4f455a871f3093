// The command line of cwltool, by itself and in the sandbox.
import path from 'node:path';
import type { Containers } from './containers.ts';
import { cwltoolOptions } from './cwltool-options.ts';
import { carried, type EgressProxy, PROXY_VARIABLES, SEEN_SOCKET } from './egress-proxy.ts';
import { BROKER_SOCKET } from './engine-broker.ts';
import type { ContainerSettings } from './image-demands.ts';
import type { NetworkPolicy } from './network.ts';
import { findProgram, ownNode, ownPath, surroundingsOf } from './programs.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';
import type { Command } from './supervised-process.ts';
import { letRead } from './tool-account.ts';
import type { Directories } from './work-directory.ts';

export interface CwltoolSettings extends ContainerSettings {
  /** Its name on the PATH, or where it is. */
  readonly command: string;
  /** Further directories with tools that workflows call. */
  readonly toolPaths: readonly string[];
  /** When tools may run without bubblewrap. */
  readonly sandbox: SandboxPolicy;
  /** What tools that ask for the network get: nothing, or what the proxy lets through. */
  readonly network: NetworkPolicy;
  /** Further files and directories that tools may read. */
  readonly readablePaths: readonly string[];
}

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The command that runs a workflow, outside of any sandbox. */
export async function cwltoolCommand(
  { command: name, toolPaths }: CwltoolSettings,
  root: string,
  { outputs, scratch, home, programs }: Directories,
  {
    workflow,
    job,
    containers,
    proxy,
    fileBytes,
  }: {
    readonly workflow: string;
    readonly job: string;
    readonly containers: Containers | null;
    readonly proxy: EgressProxy | null;
    /** Most bytes of one file that it writes. */
    readonly fileBytes: number;
  },
): Promise<Command> {
  const words = [
    (await findProgram(name, ownPath())) ?? name,
    ...cwltoolOptions(containers, { outputs, scratch }, proxy !== null),
    workflow,
    job,
  ];
  const [command = '', ...args] = proxy === null ? words : carried(ownNode().file, words);
  return {
    command,
    args,
    cwd: root,
    fileBytes,
    // nothing of our own environment goes along: there are secrets in it; where there is no proxy, those named
    // lead nowhere, so that cwltool fetches nothing by itself
    env: {
      PATH: [
        ...(containers === null ? [...toolPaths, programs] : [programs, ...toolPaths]),
        ...SYSTEM_PATH,
      ].join(':'),
      HOME: home,
      TMPDIR: scratch,
      LANG: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
      ...(proxy === null
        ? { http_proxy: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' }
        : PROXY_VARIABLES),
      ...containers?.env,
    },
  };
}

/** Where the programs of the sandbox reach what runs outside of it. */
export const socketsOf = (
  containers: Containers | null,
  proxy: EgressProxy | null,
): Readonly<Record<string, string>> => ({
  ...(proxy === null ? {} : { [SEEN_SOCKET]: proxy.socket }),
  ...(containers?.broker ? { [BROKER_SOCKET]: containers.broker.socket } : {}),
});

/** The command in the sandbox, with what it is given to read: its own documents and inputs among it. */
export async function confined(
  { command, toolPaths, readablePaths }: CwltoolSettings,
  sandbox: Sandbox,
  inner: Command,
  root: string,
  {
    given,
    sockets,
  }: { readonly given: readonly string[]; readonly sockets: Readonly<Record<string, string>> },
): Promise<Command> {
  await sandbox.prepare(root);
  if (sandbox.account !== null) for (const place of given) await letRead(place, sandbox.account);
  const program = (await findProgram(command, ownPath())) ?? inner.command;
  return sandbox.wrap(inner, {
    directory: root,
    readable: [
      ...['workflow', 'inputs.json', 'programs'].map((name) => path.join(root, name)),
      ...ownNode().readable,
      ...(await surroundingsOf(program)),
      ...toolPaths,
      ...readablePaths,
      ...given,
    ],
    sockets,
  });
}
