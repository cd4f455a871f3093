// Splits a JSON array into the texts of its elements, so that the texts stay unchanged and a large file need
// not fit in memory.
import { Failure } from '../failure.ts';

/**
 * Returns the elements of a top-level array, or the single value that is not an array, as text. Invalid JSON
 * inside an element is only detected when it is parsed.
 */
export async function* elementsOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let isArray: boolean | undefined;
  let ended = false;
  let element = '';

  for await (const chunk of chunks) {
    for (const char of chunk) {
      if (isArray === undefined) {
        if (/\s/.test(char)) continue;
        isArray = char === '[';
        if (isArray) continue;
      }
      if (ended) {
        if (!/\s/.test(char)) throw new Failure('the input has content after the end of the JSON array');
        continue;
      }
      if (inString) {
        if (escaped) escaped = false;
        else if (char === '\\') escaped = true;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else if (char === '{' || char === '[') depth++;
      else if (isArray && depth === 0 && (char === ',' || char === ']')) {
        ended = char === ']';
        if (!ended || element.trim() !== '') yield element;
        element = '';
        continue;
      } else if (char === '}' || char === ']') depth--;
      element += char;
    }
  }
  if (isArray === true && !ended)
    throw new Failure('the JSON array is not closed: check that the file is complete');
  if (element.trim() !== '') yield element;
}
