// Extracts the tool's last messages from a runner's log, for authors of workflows.

const MAX_LINES = 20;
const MAX_CHARACTERS = 4000;
/** cwltool's own lines, by time and level; indented lines belong to the one before. */
const RUNNERS = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] (?:DEBUG|INFO|WARNING|ERROR)\b/;
const NEWS = /^\[[^\]]+\] ERROR (?!Workflow or tool uses)/;

const BEGINS = /^\[[^\]]+\] INFO \[job /;

/** Local paths, and their replacements. */
export type Places = readonly (readonly [place: string, name: string])[];

/**
 * The last lines that a tool wrote or, if it wrote none, the runner's errors; without local paths. Empty if
 * there are none.
 * @param redirected what a tool wrote into a file of its own; has priority
 */
export function toolErrors(log: string, places: Places, redirected = ''): string {
  const all = log.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex((line) => BEGINS.test(line)),
    ),
  ); // messages before a tool runs concern its document
  let isOwn = false;
  const said: string[] = [],
    faults: string[] = [];
  for (const line of lines) {
    if (RUNNERS.test(line)) isOwn = true;
    else if (!/^\s/.test(line)) isOwn = false;
    if (!isOwn) said.push(line);
    else if (NEWS.test(line)) faults.push(line.replace(/^\[[^\]]+\] ERROR /, ''));
  }
  const own = redirected.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  const last = [
    ...own.slice(-MAX_LINES),
    ...(said.length > 0 ? said : faults).slice(-Math.max(3, MAX_LINES - own.length)),
  ].join('\n');
  const named = [...places]
    .sort(([a], [b]) => b.length - a.length)
    .reduce((text, [place, name]) => text.replaceAll(place, name), last);
  return named.length > MAX_CHARACTERS ? `[…]${named.slice(-MAX_CHARACTERS).toWellFormed()}` : named;
}

/** The last line that cwltool has logged, without its closing one. */
export const lastLine = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .findLast((line) => !/Final process status/.test(line))
    ?.slice(-300) ?? '';
