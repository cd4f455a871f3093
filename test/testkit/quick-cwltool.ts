// A cwltool that starts sooner, first on the PATH: the suite runs it some hundred times
// (docs/decisions/0107-what-the-suite-does-once.md).
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';

/** Null where the installed cwltool is not run by the system's Python, by its first line: the sandbox must contain it. */
function installed(): { readonly file: string; readonly interpreter: string } | null {
  const file = spawnSync('sh', ['-c', 'command -v cwltool'], { encoding: 'utf8' }).stdout.trim();
  if (file === '') return null;
  const interpreter = /^#! *(\/usr\/bin\/python3)\n/.exec(readFileSync(file, 'utf8'))?.[1];
  return interpreter === undefined ? null : { file, interpreter };
}

/** Makes its directory, below the system's temporary one: in memory, programs may not run. Null without a cwltool. */
export function quickCwltool(): string | null {
  const found = installed();
  if (found === null) return null;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-cwltool-'));
  chmodSync(directory, 0o755);
  const program = readFileSync(path.join(projectRoot, 'test', 'testkit', 'cwltool.py'), 'utf8');
  const text = `#!${found.interpreter}\n${program.replace('"INSTALLED"', () => JSON.stringify(found.file))}`;
  writeFileSync(path.join(directory, 'cwltool'), text, { mode: 0o755 });
  return directory;
}
