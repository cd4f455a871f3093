// Processes of this machine by their command lines.
import { readdirSync, readFileSync } from 'node:fs';
import { systemErrorCode } from '../../platform/system-error-code.ts';

/** One that ended meanwhile has none. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (fault) {
    if (['ENOENT', 'ESRCH'].includes(systemErrorCode(fault) ?? '')) return '';
    throw fault;
  }
}

/**
 * Those whose command lines contain `mark`. Read at once: two hundred asynchronous readings take ten times as long,
 * and tests that wait for a process ask again and again.
 */
export function pidsOf(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLine(pid).includes(mark));
}
