// Runs workflows on this machine: cwltool as a child process, in a sandbox, within limits.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  confinementTrouble,
  type ContainerRun,
  type Containers,
  engineTrouble,
  imagesNow,
  prepareContainers,
  removeContainers,
} from './containers.ts';
import { LogTail } from './log-tail.ts';
import { networkNote } from './network.ts';
import { RedirectedErrors } from './redirected-errors.ts';
import { engineFile, engineVersion } from './engine-version.ts';
import type { RunOutcome, Runner, Task } from './runner.ts';
import { type Egress, type EgressProxy, startEgressProxy } from './egress-proxy.ts';
import { confined, cwltoolCommand, type CwltoolSettings, socketsOf } from './cwltool-command.ts';
import { type Done, MAX_OUTPUT, outcomeOf } from './cwltool-outcome.ts';
import {
  type ContainerEngine,
  type ImageDemands,
  imageNote,
  imageTrouble,
  namesImages,
} from './image-demands.ts';
import type { UsedImage } from './image-digests.ts';
import { findSandbox, type Sandbox, type SandboxPolicy } from './sandbox.ts';
import { type Command, startSupervised } from './supervised-process.ts';
import { toolErrors } from './tool-errors.ts';
import { watchLimits } from './watch-limits.ts';
import { filesIn, layOut, logPlaces } from './work-directory.ts';
import { writeWorkflow } from './write-workflow.ts';
import type { RunLimits } from './run-limits.ts';

const CHECK_MS = 30_000;

/** Why tools cannot be sandboxed as required; null if they can, or need not be. */
async function sandboxTrouble(policy: SandboxPolicy): Promise<string | null> {
  if (policy !== 'required' || (await findSandbox(policy)).kind === 'bubblewrap') return null;
  return 'tools of workflows must run in a sandbox, but bubblewrap cannot be used here: install it (Debian: apt-get install bubblewrap), in a container allow it to create namespaces (CAP_SYS_ADMIN as root, otherwise user namespaces), or set artifact.runner.sandbox to preferred, which lets tools run with the rights of the server';
}

export class CwltoolRunner implements Runner {
  readonly name = 'cwltool';
  readonly #settings: CwltoolSettings;
  readonly #limits: RunLimits;
  readonly #egress: Egress;
  #engineChecked: { readonly at: number; readonly trouble: Promise<string | null> } | undefined;

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
    return `tools of workflows run without a sandbox (${sandbox === 'off' ? 'artifact.runner.sandbox is off' : 'bubblewrap cannot be used on this machine'}): anyone who may register a rule gets the rights of this server on this machine, including its files and network`;
  }

  async trouble(): Promise<string | null> {
    return this.#troubleIf((await this.version()) === null);
  }

  async missing(): Promise<string | null> {
    return this.#troubleIf((await engineFile(this.#settings.command)) === null);
  }

  async #troubleIf(isUnusable: boolean): Promise<string | null> {
    const { command, sandbox } = this.#settings;
    return isUnusable
      ? `${command} cannot be run on this machine: install cwltool (Debian: apt-get install cwltool; otherwise: pip install cwltool), or set artifact.runner to a WES service`
      : sandboxTrouble(sandbox);
  }

  version(): Promise<string | null> {
    return engineVersion(this.#settings.command);
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

  imagesNow(images: readonly string[], stop: AbortSignal): Promise<readonly UsedImage[] | null> {
    return imagesNow(this.#settings, this.#settings.toolPaths, images, stop);
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
    const containers = await this.#containers(task, root, { sandbox, programs: directories.programs, given });
    const proxy = await this.#proxy(task, sandbox, containers);
    const errors = new RedirectedErrors(root);
    let done: Done;
    let redirected = '';
    try {
      const inner = await cwltoolCommand(this.#settings, root, directories, {
        workflow,
        job,
        containers,
        proxy,
        fileBytes: this.#limits.disk,
      });
      const command =
        containers === null || containers.broker !== null
          ? await confined(this.#settings, sandbox, inner, root, {
              given,
              sockets: socketsOf(containers, proxy),
            })
          : inner;
      done = await this.#supervised(command, root, stop, {
        task,
        containers,
        onLog: (chunk) => {
          log.add(chunk);
          const tail = log.text;
          task.onLog(tail);
          errors.note(tail);
        },
      });
    } finally {
      redirected = await errors.end();
      await proxy?.close();
      await containers?.broker?.close();
    }
    stop.throwIfAborted();
    const said = (): string => toolErrors(log.text, logPlaces(root, task), redirected);
    const images = (await containers?.used()) ?? [];
    return outcomeOf(done, log.text, said, { directory: directories.outputs, images });
  }

  /** What the tools' containers need; null where none are used. */
  async #containers(
    { images: demands }: Task,
    root: string,
    around: Pick<ContainerRun, 'sandbox' | 'programs' | 'given'>,
  ): Promise<Containers | null> {
    const engine = this.#engine(demands);
    if (engine === 'none' || demands === null) return null;
    const { toolPaths } = this.#settings;
    return prepareContainers(engine, this.#settings, root, {
      ...around,
      toolPaths,
      limits: this.#limits,
      demands,
    });
  }

  /** The way out of the sandbox for tools that ask for the network; null where they get none. */
  async #proxy(
    { network }: Task,
    sandbox: Sandbox,
    containers: Containers | null,
  ): Promise<EgressProxy | null> {
    return containers === null &&
      network &&
      this.#settings.network === 'filtered' &&
      sandbox.kind === 'bubblewrap'
      ? startEgressProxy(this.#egress, sandbox.account)
      : null;
  }

  /** Runs the command to its end: its own, or the one that `stop` or a limit makes. */
  async #supervised(
    command: Command,
    root: string,
    stop: AbortSignal,
    {
      task,
      containers,
      onLog,
    }: {
      readonly task: Task;
      readonly containers: Containers | null;
      readonly onLog: (chunk: Buffer) => void;
    },
  ): Promise<Done> {
    let output = '';
    let exceeded: string | undefined;
    const child = await startSupervised(
      command,
      (chunk) => {
        if (output.length <= MAX_OUTPUT) output += chunk.toString('utf8');
      },
      onLog,
    );
    const end = (): void => {
      child.end();
    };
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    const unwatch = watchLimits(
      () => [child.pid, ...(containers?.broker?.pids() ?? [])],
      root,
      this.#limits,
      (reason) => {
        exceeded = reason;
        child.end(0);
      },
    );
    try {
      const { status } = await child.ended;
      return { status, output, exceeded };
    } finally {
      unwatch();
      stop.removeEventListener('abort', end);
      await removeContainers(this.#engine(task.images), root, this.#settings.toolPaths);
    }
  }
}
