// Finds in a runner's log what the tool itself said last: what somebody needs who has to mend a workflow.

const MAX_LINES = 20;
const MAX_CHARACTERS = 4000;
/** Words of cwltool's own, by their time and level; what follows one indented belongs to it. */
const RUNNERS = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] (?:DEBUG|INFO|WARNING|ERROR)\b/;
const NEWS = /^\[[^\]]+\] ERROR (?!Workflow or tool uses)/;

const BEGINS = /^\[[^\]]+\] INFO \[job /;

/** Places of this machine, and what is written in their stead. */
export type Places = readonly (readonly [place: string, name: string])[];

/**
 * The last lines that a tool wrote, or, where it wrote none, the runner's errors; without places of this
 * machine. Empty where nothing was said.
 * @param redirected what a tool wrote into a file of its own: told first
 */
export function toolErrors(log: string, places: Places, redirected = ''): string {
  const all = log.split(/\r?\n|\r/).filter((line) => line.trim() !== '');
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex((line) => BEGINS.test(line)),
    ),
  ); // what is said before a tool runs is of its document's form
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

/** The last line that cwltool has logged, without its own closing one. */
export const lastLine = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .findLast((line) => !/Final process status/.test(line))
    ?.slice(-300) ?? '';
