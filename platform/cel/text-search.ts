// Whether one text is part of another, in linear time: the engine's own search is quadratic for texts made to be so.
import { spendCharacters } from './limits.ts';

/** Up to this product of lengths the engine's search is quick, whatever the texts are. */
const HARMLESS = 1 << 20;

/** Knuth, Morris, Pratt: for every beginning of `part`, how much of it is also its own end. */
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

/** `text.contains(part)`; spends steps by the length of both. */
export function containsText(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  if (text.length * part.length <= HARMLESS) {
    spendCharacters(text.length + part.length);
    return text.includes(part);
  }
  spendCharacters(4 * (text.length + part.length));
  return search(text, part);
}
