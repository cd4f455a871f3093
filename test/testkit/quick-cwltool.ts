// A cwltool that starts in half the time, first on the PATH: the suite runs it some hundred times.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../platform/project-root.ts';

/** The installed cwltool's interpreter, by its first line; null where it is not the system's: the sandbox must contain it. */
function interpreterOfCwltool(): string | null {
  const file = spawnSync('sh', ['-c', 'command -v cwltool'], { encoding: 'utf8' }).stdout.trim();
  return file === '' ? null : (/^#!(\/usr\/\S*python\S*)\n/.exec(readFileSync(file, 'utf8'))?.[1] ?? null);
}

/** Makes its directory, below the system's temporary one: in memory, programs may not run. Null without a cwltool. */
export function quickCwltool(): string | null {
  const interpreter = interpreterOfCwltool();
  if (interpreter === null) return null;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-cwltool-'));
  chmodSync(directory, 0o755);
  const program = readFileSync(path.join(projectRoot, 'test', 'testkit', 'cwltool.py'), 'utf8');
  writeFileSync(path.join(directory, 'cwltool'), `#!${interpreter}\n${program}`, { mode: 0o755 });
  return directory;
}
