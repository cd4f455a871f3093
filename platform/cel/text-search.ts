// Checks in linear time whether one text contains another. The engine's own search is quadratic for certain
// texts.
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

function search(text: string, part: string): boolean {
  const table = overlaps(part);
  for (let at = 0, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== part.charCodeAt(length)) length = table[length - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(length)) length++;
    if (length === part.length) return true;
  }
  return false;
}

/** `text.contains(part)`; charges steps by the length of both. */
export function containsText(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  if (text.length * part.length <= HARMLESS) {
    spendCharacters(text.length + part.length);
    return text.includes(part);
  }
  spendCharacters(4 * (text.length + part.length));
  return search(text, part);
}
