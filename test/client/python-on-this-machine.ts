// A Python with what its client needs, and programs that are run by it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';

const FOLDER = path.join(projectRoot, 'clients/python');

/** Whether an interpreter has these modules. */
const has = (python: string, ...modules: readonly string[]): boolean =>
  spawnSync(python, ['-c', `import ${modules.join(', ')}`], { stdio: 'ignore' }).status === 0;

/** Debian's own knows Debian's packages; another may come first on the PATH. CAIRN_PYTHON names one. */
export const python = [process.env['CAIRN_PYTHON'], '/usr/bin/python3', 'python3']
  .filter((command) => command !== undefined)
  .find((command) => has(command, 'httpx'));
export const hasPandas = python !== undefined && has(python, 'pandas');
/** Whether a wheel can be built without a network. */
export const canBuild = python !== undefined && has(python, 'setuptools', 'wheel', 'pip');
export const canPlot = python !== undefined && has(python, 'pandas', 'matplotlib');
if (!canPlot || !canBuild)
  console.warn(
    `SKIPPED: ${python === undefined ? 'the Python client' : 'some examples of the Python client'} cannot be tried here (Debian: apt-get install python3-httpx python3-pandas python3-matplotlib python3-pip python3-wheel)`,
  );

export interface Ran {
  readonly status: number | null;
  readonly printed: string;
  readonly errors: string;
}

/** Runs a program with the client's sources; `onPrint` is told what it has printed so far. */
export async function run(
  args: readonly string[],
  {
    cwd,
    env = {},
    onPrint = () => undefined,
  }: { cwd: string; env?: Readonly<Record<string, string>>; onPrint?: (printed: string) => void },
): Promise<Ran> {
  const child = spawn(python ?? 'python3', args, {
    cwd,
    env: {
      ...process.env,
      PYTHONPATH: path.join(FOLDER, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      MPLBACKEND: 'Agg',
      MPLCONFIGDIR: cwd,
      ...env,
    },
  });
  let [printed, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    onPrint(printed);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [status] = (await once(child, 'close')) as [number | null]; // as Node documents the event
  return { status, printed, errors };
}
