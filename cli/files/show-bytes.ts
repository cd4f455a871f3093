// Shows how far a transfer is.
import type { Output } from '../session.ts';
import { showLine } from '../status-line.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `3.4 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 2 ** (10 * power);
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

/** `3:07`, `1:02:03`. */
function timeText(seconds: number): string {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    Math.floor(seconds) % 60,
  ];
  const two = (n: number): string => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export interface ByteProgress {
  /** What is being done. */
  readonly verb: string;
  readonly done: number;
  /** Of `done`, what was there when it began. */
  readonly before: number;
  readonly total: number;
}

/** Shows the current `state` until what is returned is called. */
export const showBytes = (stream: Output, name: string, state: () => ByteProgress): (() => void) =>
  showLine(stream, (seconds) => {
    const { verb, done, before, total } = state();
    const rate = (done - before) / seconds;
    const left = rate > 0 ? `, ${timeText((total - done) / rate)} left` : '';
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    return `${verb} ${name}: ${bytesText(done)} of ${bytesText(total)} (${percent} %), ${bytesText(Math.round(rate))}/s${left}`;
  });
