// Runs workflows on this machine: cwltool as a child process, in a sandbox, within limits.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  confinementTrouble,
  type ContainerEngine,
  type ContainerSettings,
  type Containers,
  engineTrouble,
  type ImageDemands,
  imageNote,
  imageTrouble,
  namesImages,
  prepareContainers,
  removeContainers,
} from './containers.ts';
import { LogTail } from './log-tail.ts';
import { networkNote, type NetworkPolicy } from './network.ts';
import { RedirectedErrors } from './redirected-errors.ts';
import type { RunFault, RunLimits, Runner, RunOutcome, Task } from './runner.ts';
import {
  carried,
  type Egress,
  type EgressProxy,
  PROXY_VARIABLES,
  SEEN_SOCKET,
  startEgressProxy,
} from './egress-proxy.ts';
import { cwltoolOptions } from './cwltool-options.ts';
import { BROKER_SOCKET } from './engine-broker.ts';
import { findProgram, ownNode, ownPath, surroundingsOf } from './programs.ts';
import { findSandbox, type Sandbox, type SandboxPolicy } from './sandbox.ts';
import { type Command, startSupervised, type SupervisedProcess } from './supervised-process.ts';
import { letRead } from './tool-account.ts';
import { lastLine, toolErrors } from './tool-errors.ts';
import { watchLimits } from './watch-limits.ts';
import { type Directories, filesIn, layOut, parseOutputs, placesOf } from './work-directory.ts';
import { writeWorkflow } from './write-workflow.ts';

const run = promisify(execFile);

export interface CwltoolSettings extends ContainerSettings {
  /** Its name on the PATH, or its path. */
  readonly command: string;
  /** Additional directories with tools that workflows call. */
  readonly toolPaths: readonly string[];
  /** When tools may run without bubblewrap. */
  readonly sandbox: SandboxPolicy;
  /** The network of tools that request it: none, or through the proxy. */
  readonly network: NetworkPolicy;
  /** Additional files and directories that tools may read. */
  readonly readablePaths: readonly string[];
}

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];
/** cwltool's exit status for a workflow with unsupported requirements. */
const UNSUPPORTED = 33;
/** Maximum size of an output object, also with many directories in it. */
const MAX_OUTPUT = 64 * 1024 * 1024;
const CHECK_MS = 30_000;

/** Why tools cannot be sandboxed as required; null if they can, or need not be. */
async function sandboxTrouble(policy: SandboxPolicy): Promise<string | null> {
  if (policy !== 'required' || (await findSandbox(policy)).kind === 'bubblewrap') return null;
  return 'tools of workflows must run in a sandbox, and bubblewrap cannot be used here: install it (Debian: apt-get install bubblewrap), in a container allow it to make namespaces (CAP_SYS_ADMIN as root, else user namespaces), or set artifact.runner.sandbox to preferred, by which they run with the rights of the server';
}

export class CwltoolRunner implements Runner {
  readonly name = 'cwltool';
  readonly #settings: CwltoolSettings;
  readonly #limits: RunLimits;
  readonly #egress: Egress;
  #engineChecked: { readonly at: number; readonly trouble: Promise<string | null> } | undefined;
  #checked: { readonly at: number; readonly version: Promise<string | null> } | undefined;

  /** @param egress decides which addresses tools with a network may connect to */
  constructor(settings: CwltoolSettings, limits: RunLimits, egress: Egress) {
    this.#settings = settings;
    this.#limits = limits;
    this.#egress = egress;
  }

  async warning(): Promise<string | null> {
    const { sandbox } = this.#settings;
    const { kind } = await findSandbox(sandbox);
    if (sandbox === 'required' || kind === 'bubblewrap') return null;
    return `tools of workflows run without a sandbox (${sandbox === 'off' ? 'artifact.runner.sandbox is off' : 'bubblewrap cannot be used on this machine'}): whoever may register a rule has the rights of this server on this machine, its files and its network`;
  }

  async trouble(): Promise<string | null> {
    return (await this.version()) === null
      ? `${this.#settings.command} cannot be run on this machine: install cwltool (Debian: apt-get install cwltool; else: pip install cwltool), or set artifact.runner to a WES service`
      : sandboxTrouble(this.#settings.sandbox);
  }

  version(): Promise<string | null> {
    if (this.#checked === undefined || Date.now() - this.#checked.at > CHECK_MS) {
      // missing or broken: in both cases it cannot be used
      this.#checked = {
        at: Date.now(),
        version: run(this.#settings.command, ['--version'], { timeout: 30_000 }).then(
          ({ stdout }) => stdout.trim().split(/\s+/).at(-1) ?? '',
          () => null,
        ),
      };
    }
    return this.#checked.version;
  }

  async imageTrouble(demands: ImageDemands): Promise<string | null> {
    const trouble = imageTrouble(demands, this.#settings);
    const engine = this.#engine(demands);
    if (trouble !== null || engine === 'none') return trouble;
    const outside = this.#settings.sandbox === 'required' ? confinementTrouble(engine) : null;
    if (outside !== null) return outside;
    if (this.#engineChecked === undefined || Date.now() - this.#engineChecked.at > CHECK_MS)
      this.#engineChecked = { at: Date.now(), trouble: engineTrouble(engine, this.#settings.toolPaths) };
    return this.#engineChecked.trouble;
  }

  imageNote(demands: ImageDemands): string | null {
    return imageNote(demands, this.#settings);
  }

  clear(root: string): Promise<void> {
    return removeContainers(this.#settings.containerEngine, root, this.#settings.toolPaths);
  }

  /** Runs a workflow's tools in containers; only if it names images. */
  #engine(demands: ImageDemands | null): ContainerEngine {
    return demands !== null && namesImages(demands) ? this.#settings.containerEngine : 'none';
  }

  async run(task: Task, root: string, stop: AbortSignal): Promise<RunOutcome> {
    const directories = await layOut(root);
    const { main: workflow } = await writeWorkflow(task.main, task.documents, path.join(root, 'workflow'));
    const job = path.join(root, 'inputs.json');
    await writeFile(job, JSON.stringify(task.inputs), { flag: 'wx' });
    stop.throwIfAborted();

    const engine = this.#engine(task.images);
    const sandbox = await findSandbox(this.#settings.sandbox);
    const trouble = await sandboxTrouble(this.#settings.sandbox);
    const log = new LogTail();
    if (trouble !== null)
      return { ok: false, fault: 'runner_failed', message: trouble, log: log.text, said: '' };
    for (const note of task.images === null
      ? []
      : [this.imageNote(task.images), networkNote(task.images, this.#settings)])
      if (note !== null) log.add(Buffer.from(`${note}\n`));
    const given = filesIn(task.inputs);
    const containers =
      engine === 'none' || task.images === null
        ? null
        : await prepareContainers(engine, this.#settings, root, {
            toolPaths: this.#settings.toolPaths,
            sandbox,
            limits: this.#limits,
            demands: task.images,
            programs: directories.programs,
            given,
          });
    const broker = containers?.broker ?? null;
    const proxy =
      containers === null &&
      task.network &&
      this.#settings.network === 'filtered' &&
      sandbox.kind === 'bubblewrap'
        ? await startEgressProxy(this.#egress, sandbox.account)
        : null;
    const errors = new RedirectedErrors(root);
    let redirected = '';
    let output = '';
    let exceeded: string | undefined;
    const ended = await (async () => {
      try {
        const inner = await this.#command(root, directories, { workflow, job, containers, proxy });
        const child = await startSupervised(
          containers === null || broker !== null
            ? await this.#confined(sandbox, inner, root, {
                given,
                sockets: {
                  ...(proxy === null ? {} : { [SEEN_SOCKET]: proxy.socket }),
                  ...(broker === null ? {} : { [BROKER_SOCKET]: broker.socket }),
                },
              })
            : inner,
          (chunk) => {
            if (output.length <= MAX_OUTPUT) output += chunk.toString('utf8');
          },
          (chunk) => {
            log.add(chunk);
            const tail = log.text;
            task.onLog(tail);
            errors.note(tail);
          },
        );
        const end = (): void => {
          child.end();
        };
        stop.addEventListener('abort', end, { once: true });
        if (stop.aborted) end();
        const unwatch = watchLimits(
          () => [child.pid, ...(broker?.pids() ?? [])],
          root,
          this.#limits,
          (reason) => {
            exceeded = reason;
            child.end(0);
          },
        );
        return await this.#settled(
          child,
          unwatch,
          () => {
            stop.removeEventListener('abort', end);
          },
          () => removeContainers(engine, root, this.#settings.toolPaths),
        );
      } finally {
        redirected = await errors.end();
        await proxy?.close();
        await broker?.close();
      }
    })();

    stop.throwIfAborted();
    const failed = (fault: RunFault, message: string): RunOutcome => ({
      ok: false,
      fault,
      message,
      log: log.text,
      said: toolErrors(log.text, placesOf(root, task), redirected),
    });
    const { status } = ended;
    if (exceeded !== undefined) return failed('limit_exceeded', `the workflow was stopped: ${exceeded}`);
    if (status === UNSUPPORTED)
      return failed('unsupported', `cwltool cannot do what the workflow requires: ${lastLine(log.text)}`);
    if (status !== 0)
      return failed('workflow_failed', `the workflow failed: cwltool ended with ${status ?? 'a signal'}`);
    const outputs = output.length > MAX_OUTPUT ? null : parseOutputs(output);
    if (outputs === null) return failed('runner_failed', 'the outputs of the workflow cannot be read');
    return { ok: true, outputs, directory: directories.outputs, log: log.text };
  }

  /** The command in the sandbox, with its readable files, including its own documents and inputs. */
  async #confined(
    sandbox: Sandbox,
    inner: Command,
    root: string,
    {
      given,
      sockets,
    }: { readonly given: readonly string[]; readonly sockets: Readonly<Record<string, string>> },
  ): Promise<Command> {
    const { toolPaths, readablePaths } = this.#settings;
    await sandbox.prepare(root);
    if (sandbox.account !== null) for (const place of given) await letRead(place, sandbox.account);
    const program = (await findProgram(this.#settings.command, ownPath())) ?? inner.command;
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

  async #settled(
    child: SupervisedProcess,
    ...after: readonly (() => unknown)[]
  ): ReturnType<() => SupervisedProcess['ended']> {
    try {
      return await child.ended;
    } finally {
      for (const done of after) await done();
    }
  }

  async #command(
    root: string,
    { outputs, scratch, home, programs }: Directories,
    {
      workflow,
      job,
      containers,
      proxy,
    }: {
      readonly workflow: string;
      readonly job: string;
      readonly containers: Containers | null;
      readonly proxy: EgressProxy | null;
    },
  ): Promise<Command> {
    const { command: name, toolPaths } = this.#settings;
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
      fileBytes: this.#limits.disk,
      // our own environment contains secrets and is not passed on; without a proxy, the variables name an
      // invalid one, so that cwltool itself fetches nothing
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
}
