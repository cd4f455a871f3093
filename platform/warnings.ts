// What a component says beside its data, in words.
import { orMeant } from './suggestions.ts';
import type { ServerResponse } from 'node:http';
import type { ComponentExtensions } from './component.ts';
import { closest } from './config/closest.ts';

export function warnOnce(extensions: ComponentExtensions, warning: string): void {
  if (extensions.warnings?.includes(warning) !== true) (extensions.warnings ??= []).push(warning);
}

/**
 * At most `limit` of rows that were asked for with one more; that there are more is a warning.
 * @param list what is cut, and how more of it is had: `runs of an entity`, `offset goes on`
 */
export function cutWithWarning<Item>(
  extensions: ComponentExtensions,
  rows: readonly Item[],
  limit: number,
  list: { readonly name: string; readonly more: string },
): readonly Item[] {
  if (rows.length <= limit) return rows;
  warnOnce(extensions, `${list.name} is cut at ${limit}: ${list.more}`);
  return rows.slice(0, limit);
}

/** Names that are said to mean nothing, at most. */
const MAX_UNHEEDED = 10;
/** Longer names were not mistyped. */
const MAX_NAME_LENGTH = 100;

/** The name that was probably meant. */
export const meantName = (name: string, known: readonly string[]): string | undefined =>
  name.length > MAX_NAME_LENGTH ? undefined : closest(name, known);

/** What is to be said of names that nothing heeds. */
export const unheededNames = (
  names: readonly string[],
  known: readonly string[],
  say: (name: string) => string,
): string[] =>
  names
    .filter((name) => !known.includes(name))
    .slice(0, MAX_UNHEEDED)
    .map((name) => say(name.slice(0, MAX_NAME_LENGTH)) + orMeant(meantName(name, known)));

/** The same of query parameters. `project` is the edge's. */
export const unheededParameters = (names: Iterable<string>, known: readonly string[]): string[] =>
  unheededNames(
    [...names].filter((name) => name !== 'project'),
    known,
    (name) => `the query parameter ${name} is unknown here`,
  );

/** Warnings beside a bare body: `X-Warnings`, a JSON list in ASCII. */
export function setWarningsHeader(res: ServerResponse, warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const text = JSON.stringify(warnings).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  res.setHeader('x-warnings', text);
}
