// The processor time that processes have taken, as the kernel counts it.
import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel's clock in /proc. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  /** Of the process, and of its children that have ended. */
  readonly seconds: number;
}

function statOf(pid: string | number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // it has ended
  }
  // after the name, which may have blanks: state, parent, …, utime, stime, cutime, cstime
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
  return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
}

/** Seconds of the process and its threads. */
export const secondsOf = (pid: number): number => statOf(pid)?.seconds ?? 0;

/** Seconds of the process and of its children. */
export function secondsWithChildren(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return children.reduce((sum, child) => {
    const stat = statOf(child);
    return sum + (stat?.parent === pid ? stat.seconds : 0);
  }, secondsOf(pid));
}

/** Seconds in which the processors of the machine had nothing to do. */
export function idleSeconds(): number {
  const [, , , , idle = 0, waiting = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/ +/)
    .map(Number);
  return (idle + waiting) / TICKS_PER_SECOND;
}
