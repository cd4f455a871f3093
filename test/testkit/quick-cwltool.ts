// A cwltool that starts sooner, first on the PATH: the suite runs it some hundred times
// (docs/decisions/0107-what-the-suite-does-once.md).
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';

interface Installed {
  readonly file: string;
  readonly interpreter: string;
  /** What it prints for `--version`. */
  readonly version: string;
}

/**
 * Null where the installed cwltool is not run by the system's Python, by its first line: the sandbox must contain
 * it; and where it does not work.
 */
function installed(): Installed | null {
  const file = spawnSync('sh', ['-c', 'command -v cwltool'], { encoding: 'utf8' }).stdout.trim();
  if (file === '') return null;
  const interpreter = /^#! *(\/usr\/bin\/python3)\n/.exec(readFileSync(file, 'utf8'))?.[1];
  if (interpreter === undefined) return null;
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { file, interpreter, version: stdout.trim() } : null;
}

/** Makes its directory, below the system's temporary one: in memory, programs may not run. Null without a cwltool. */
export function quickCwltool(): { readonly directory: string; readonly remove: () => void } | null {
  const found = installed();
  if (found === null) return null;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-cwltool-'));
  chmodSync(directory, 0o755);
  const program = readFileSync(path.join(projectRoot, 'test', 'testkit', 'cwltool.py'), 'utf8');
  const text = program
    .replace('"INSTALLED"', () => JSON.stringify(found.file))
    .replace('"VERSION"', () => JSON.stringify(found.version));
  const file = path.join(directory, 'cwltool');
  writeFileSync(file, `#!${found.interpreter}\n${text}`, { mode: 0o755 });
  const kept = path.join(directory, 'schemas');
  mkdirSync(kept);
  chmodSync(kept, 0o755);
  // until it has ended, each makes them for itself
  const keeping = spawn(file, ['--keep-schemas'], { stdio: ['ignore', 'ignore', 'inherit'] });
  keeping.unref();
  keeping.on('error', (error) => console.warn('the schemas of cwltool are not kept:', error.message));
  keeping.on('exit', (code) => {
    if (code !== null && code !== 0) console.warn(`the schemas of cwltool are not kept: exit ${code}`);
  });
  return {
    directory,
    remove() {
      keeping.kill('SIGKILL'); // the run may be shorter
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
