// Runs workflows on this machine: cwltool as a child process, in a sandbox, within limits.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isFileValue } from '../cwl/file-value.ts';
import { type ContainerEngine, type ContainerSettings, type Containers, engineTrouble, type ImageDemands, imageNote, imageTrouble, namesImages, prepareContainers, removeContainers } from './containers.ts';
import { LogTail } from './log-tail.ts';
import type { RunLimits, Runner, RunOutcome, Task } from './runner.ts';
import { sandboxed, sandboxKind } from './sandbox.ts';
import { type Command, startSupervised, type SupervisedProcess } from './supervised-process.ts';
import { watchLimits } from './watch-limits.ts';
import { writeWorkflow } from './write-workflow.ts';

const run = promisify(execFile);

export interface CwltoolSettings extends ContainerSettings {
  /** Its name on the PATH, or where it is. */
  readonly command: string;
  /** Further directories with tools that workflows call. */
  readonly toolPaths: readonly string[];
}

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];
/** cwltool's exit status for a workflow that needs what it cannot do. */
const UNSUPPORTED = 33;
/** An output object larger than this is no list of files any more, not even of directories with all that is in them. */
const MOST_OUTPUT = 64 * 1024 * 1024;
const CHECK_MS = 30_000;

interface Directories { readonly outputs: string; readonly scratch: string; readonly home: string }

async function layOut(root: string): Promise<Directories> {
  const at = (name: string): string => path.join(root, name);
  for (const name of ['workflow', 'outputs', 'scratch', 'home']) await mkdir(at(name), { recursive: true });
  return { outputs: at('outputs'), scratch: at('scratch'), home: at('home') };
}

/** Every file of this machine that the inputs name. */
function filesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { path: place } = value as { path?: unknown };
  const own = isFileValue(value) && typeof place === 'string' ? [place] : [];
  return [...own, ...Object.values(value).flatMap(filesIn)];
}

function parseOutputs(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch (fault) {
    if (fault instanceof SyntaxError) return null;
    throw fault;
  }
}

const lastLine = (text: string): string => text.trimEnd().split('\n').findLast((line) => !/Final process status/.test(line))?.slice(-300) ?? '';

export class CwltoolRunner implements Runner {
  readonly name = 'cwltool';
  readonly #settings: CwltoolSettings;
  readonly #limits: RunLimits;
  #engineChecked: { readonly at: number; readonly trouble: Promise<string | null> } | undefined;
  #checked: { readonly at: number; readonly version: Promise<string | null> } | undefined;

  constructor(settings: CwltoolSettings, limits: RunLimits) {
    this.#settings = settings;
    this.#limits = limits;
  }

  async trouble(): Promise<string | null> {
    return await this.version() === null
      ? `${this.#settings.command} cannot be run on this machine: install cwltool (Debian: apt-get install cwltool; else: pip install cwltool), or set artifact.runner to a WES service` : null;
  }

  version(): Promise<string | null> {
    if (this.#checked === undefined || Date.now() - this.#checked.at > CHECK_MS) {
      // not there, or broken: both mean that it cannot be used
      this.#checked = { at: Date.now(), version: run(this.#settings.command, ['--version'], { timeout: 30_000 }).then(({ stdout }) => stdout.trim().split(/\s+/).at(-1) ?? '', () => null) };
    }
    return this.#checked.version;
  }

  async imageTrouble(demands: ImageDemands): Promise<string | null> {
    const trouble = imageTrouble(demands, this.#settings);
    const engine = this.#engine(demands);
    if (trouble !== null || engine === 'none') return trouble;
    if (this.#engineChecked === undefined || Date.now() - this.#engineChecked.at > CHECK_MS) this.#engineChecked = { at: Date.now(), trouble: engineTrouble(engine, this.#settings.toolPaths) };
    return this.#engineChecked.trouble;
  }

  imageNote(demands: ImageDemands): string | null {
    return imageNote(demands, this.#settings);
  }

  clear(root: string): Promise<void> {
    return removeContainers(this.#settings.containerEngine, root, this.#settings.toolPaths);
  }

  /** What runs a workflow's tools: only where it names images. */
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
    const sandbox = await sandboxKind();
    const containers = engine === 'none' ? null : await prepareContainers(engine, this.#settings, root, { toolPaths: this.#settings.toolPaths, sandbox, limits: this.#limits });
    const log = new LogTail();
    const note = task.images === null ? null : this.imageNote(task.images);
    if (note !== null) log.add(Buffer.from(`${note}\n`));
    let output = '';
    let exceeded: string | undefined;
    const child = await startSupervised(
      sandboxed(containers === null ? sandbox : 'none', this.#command(root, directories, { workflow, job, containers }), { directory: root, readable: [...filesIn(task.inputs), ...this.#settings.toolPaths], network: task.network }),
      (chunk) => {
        if (output.length <= MOST_OUTPUT) output += chunk.toString('utf8');
      },
      (chunk) => { log.add(chunk); task.onLog(log.text); },
    );
    const end = (): void => { child.end(); };
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    const unwatch = watchLimits(child.pid, root, this.#limits, (reason) => { exceeded = reason; child.end(0); });
    const { status } = await this.#settled(child, unwatch, () => { stop.removeEventListener('abort', end); }, () => removeContainers(engine, root, this.#settings.toolPaths));

    stop.throwIfAborted();
    if (exceeded !== undefined) return { ok: false, fault: 'limit_exceeded', message: `the workflow was stopped: ${exceeded}`, log: log.text };
    if (status === UNSUPPORTED) return { ok: false, fault: 'unsupported', message: `cwltool cannot do what the workflow requires: ${lastLine(log.text)}`, log: log.text };
    if (status !== 0) return { ok: false, fault: 'workflow_failed', message: `the workflow failed: cwltool ended with ${status ?? 'a signal'}`, log: log.text };
    const outputs = output.length > MOST_OUTPUT ? null : parseOutputs(output);
    if (outputs === null) return { ok: false, fault: 'runner_failed', message: 'the outputs of the workflow cannot be read', log: log.text };
    return { ok: true, outputs, directory: directories.outputs, log: log.text };
  }

  async #settled(child: SupervisedProcess, ...after: readonly (() => unknown)[]): ReturnType<() => SupervisedProcess['ended']> {
    try {
      return await child.ended;
    } finally {
      for (const done of after) await done();
    }
  }

  #command(root: string, { outputs, scratch, home }: Directories, { workflow, job, containers }: { readonly workflow: string; readonly job: string; readonly containers: Containers | null }): Command {
    return {
      command: this.#settings.command, cwd: root, fileBytes: this.#limits.disk,
      args: [
        ...(containers?.args ?? ['--no-container', '--disable-pull']), '--disable-color', '--timestamps', '--skip-schemas', '--no-doc-cache', '--eval-timeout', '60', '--relax-path-checks', '--on-error', 'stop',
        '--outdir', outputs, '--tmpdir-prefix', `${scratch}/`, '--tmp-outdir-prefix', `${scratch}/out`, workflow, job,
      ],
      // nothing of our own environment goes along: there are secrets in it; the proxies lead nowhere, so that cwltool fetches nothing by itself
      env: {
        PATH: [...this.#settings.toolPaths, ...SYSTEM_PATH].join(':'), HOME: home, TMPDIR: scratch, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1',
        http_proxy: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9', ...containers?.env,
      },
    };
  }
}
