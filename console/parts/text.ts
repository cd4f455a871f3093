// Values as text for people.

const INSTANT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const NUMBER = new Intl.NumberFormat('en');

/** An address may hold a text that is no instant: it is shown as it is. */
export const instantText = (iso: string): string => (isInstant(iso) ? INSTANT.format(new Date(iso)) : iso);

export const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** As a field of a form wants an instant: local time without a zone. */
function localText(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The same of what may be no instant: then the field is empty. */
export const fieldOf = (iso: string | null | undefined): string =>
  iso && isInstant(iso) ? localText(iso) : '';

const parsed = (local: string): string | undefined =>
  isInstant(local) ? new Date(local).toISOString() : undefined;

/**
 * What such a field says, as the API wants it; undefined where it says nothing. A field has whole seconds: where it
 * still says `known`, it is that instant.
 */
export const instantOfField = (local: string, known?: string | null): string | undefined =>
  known && local !== '' && local === fieldOf(known) ? known : parsed(local);

/** The members of an object, for people: "sample: HG00096 · targets: chr1". */
export function membersText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`,
  );
  return members.length === 0 ? 'any' : members.join(' · ');
}

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
] as const;

/** "3 minutes ago". */
export function agoText(iso: string, now = Date.now()): string {
  let amount = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(amount) < size) return RELATIVE.format(Math.round(amount), unit);
    amount /= size;
  }
  return iso;
}

export const numberText = (value: number): string => NUMBER.format(value);

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

export function durationText(from: string, to: string | null | undefined): string {
  return secondsText(((to ? new Date(to).getTime() : Date.now()) - new Date(from).getTime()) / 1000);
}

export function secondsText(seconds: number): string {
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** What an error of a production, or of a step, says. */
export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : JSON.stringify(error);

/** A word of the API as people write it. */
export const wordsOf = (name: string): string => name.replaceAll('_', ' ');

/** Longest text that is put into a page; more is cut, and said so. */
const MOST = 20_000;

export const cut = (text: string, most = MOST): string =>
  text.length <= most ? text : `${text.slice(0, most)} … (${numberText(text.length - most)} more characters)`;

export const jsonText = (value: unknown): string => cut(JSON.stringify(value, null, 2) ?? '');

/** As much of a text as fits where it cannot be broken. */
export const fit = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** A simple value as text; undefined for what is none. */
export const plainText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
