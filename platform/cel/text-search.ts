// Finds one text in another in linear time. The engine's own search is quadratic for certain texts.
import { spendCharacters } from './limits.ts';

/** Up to this product of lengths, the engine's search is fast for all texts. */
const HARMLESS = 1 << 20;

/**
 * The failure table of Knuth–Morris–Pratt: for every prefix of `part`, the length of its longest proper
 * prefix that is also its suffix.
 */
function overlaps(part: string): Uint32Array {
  const table = new Uint32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = table[length - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(length)) length++;
    table[at] = length;
  }
  return table;
}

function* search(text: string, part: string): Iterable<number> {
  const table = overlaps(part);
  for (let at = 0, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== part.charCodeAt(length)) length = table[length - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(length)) length++;
    if (length === part.length) {
      yield at + 1 - length;
      length = 0;
    }
  }
}

function* engineSearch(text: string, part: string): Iterable<number> {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) yield at;
}

/**
 * The places in `text`, in UTF-16 units, where `part` (not empty) begins, without overlaps; charges steps by
 * the length of both.
 */
export function placesOf(text: string, part: string): Iterable<number> {
  if (part.length > text.length) return [];
  const isHarmless = text.length * part.length <= HARMLESS;
  spendCharacters((isHarmless ? 1 : 4) * (text.length + part.length));
  return isHarmless ? engineSearch(text, part) : search(text, part);
}

/** The first place in UTF-16 units, -1 for none. */
export function firstPlaceOf(text: string, part: string): number {
  if (part === '') return 0;
  for (const at of placesOf(text, part)) return at;
  return -1;
}

/** `text.contains(part)`; charges steps by the length of both. */
export const containsText = (text: string, part: string): boolean => firstPlaceOf(text, part) !== -1;
