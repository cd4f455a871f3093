// Runs workflows on this machine: cwltool as a child process, in a sandbox, within limits.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { LogTail } from './log-tail.ts';
import type { RunLimits, Runner, RunOutcome, Task } from './runner.ts';
import { sandboxed, sandboxKind } from './sandbox.ts';
import { type Command, startSupervised, type SupervisedProcess } from './supervised-process.ts';
import { watchLimits } from './watch-limits.ts';
import { writeWorkflow } from './write-workflow.ts';

const run = promisify(execFile);

export interface CwltoolSettings {
  /** Its name on the PATH, or where it is. */
  readonly command: string;
  /** Further directories with tools that workflows call. */
  readonly toolPaths: readonly string[];
}

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];
/** cwltool's exit status for a workflow that needs what it cannot do. */
const UNSUPPORTED = 33;
/** An output object larger than this is no list of files any more. */
const MOST_OUTPUT = 16 * 1024 * 1024;
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
  const { class: kind, path: place } = value as { class?: unknown; path?: unknown };
  const own = (kind === 'File' || kind === 'Directory') && typeof place === 'string' ? [place] : [];
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

export class CwltoolRunner implements Runner {
  readonly name = 'cwltool';
  readonly #settings: CwltoolSettings;
  readonly #limits: RunLimits;
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

  async run(task: Task, root: string, stop: AbortSignal): Promise<RunOutcome> {
    const directories = await layOut(root);
    const { main: workflow } = await writeWorkflow(task.main, task.documents, path.join(root, 'workflow'));
    const job = path.join(root, 'inputs.json');
    await writeFile(job, JSON.stringify(task.inputs), { flag: 'wx' });
    stop.throwIfAborted();

    const log = new LogTail();
    let output = '';
    let exceeded: string | undefined;
    const child = await startSupervised(
      sandboxed(await sandboxKind(), this.#command(root, directories, workflow, job), { directory: root, readable: [...filesIn(task.inputs), ...this.#settings.toolPaths], network: task.network }),
      (chunk) => {
        if (output.length <= MOST_OUTPUT) output += chunk.toString('utf8');
      },
      (chunk) => { log.add(chunk); task.onLog(log.text); },
    );
    const end = (): void => { child.end(); };
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    const unwatch = watchLimits(child.pid, root, this.#limits, (reason) => { exceeded = reason; child.end(0); });
    const { status } = await this.#settled(child, unwatch, () => { stop.removeEventListener('abort', end); });

    stop.throwIfAborted();
    if (exceeded !== undefined) return { ok: false, fault: 'limit_exceeded', message: `the workflow was stopped: ${exceeded}`, log: log.text };
    if (status === UNSUPPORTED) return { ok: false, fault: 'unsupported', message: 'cwltool cannot do what the workflow requires', log: log.text };
    if (status !== 0) return { ok: false, fault: 'workflow_failed', message: `the workflow failed: cwltool ended with ${status ?? 'a signal'}`, log: log.text };
    const outputs = output.length > MOST_OUTPUT ? null : parseOutputs(output);
    if (outputs === null) return { ok: false, fault: 'runner_failed', message: 'the outputs of the workflow cannot be read', log: log.text };
    return { ok: true, outputs, directory: directories.outputs, log: log.text };
  }

  async #settled(child: SupervisedProcess, ...after: readonly (() => void)[]): ReturnType<() => SupervisedProcess['ended']> {
    try {
      return await child.ended;
    } finally {
      for (const done of after) done();
    }
  }

  #command(root: string, { outputs, scratch, home }: Directories, workflow: string, job: string): Command {
    return {
      command: this.#settings.command, cwd: root, fileBytes: this.#limits.disk,
      args: [
        '--no-container', '--disable-color', '--timestamps', '--skip-schemas', '--no-doc-cache', '--disable-pull', '--eval-timeout', '60', '--relax-path-checks', '--on-error', 'stop',
        '--outdir', outputs, '--tmpdir-prefix', `${scratch}/`, '--tmp-outdir-prefix', `${scratch}/out`, workflow, job,
      ],
      // nothing of our own environment goes along: there are secrets in it; the proxies lead nowhere, so that cwltool fetches nothing by itself
      env: {
        PATH: [...this.#settings.toolPaths, ...SYSTEM_PATH].join(':'), HOME: home, TMPDIR: scratch, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1',
        http_proxy: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9',
      },
    };
  }
}
