// Validates names that people enter: visible, not too long, and storable.
import { badRequest } from './errors.ts';
import { LONE_SURROGATE } from './json-faults.ts';

/**
 * @throws DomainError `invalid_request` unless the text has 1 to `longest` characters, is not blank, and has
 * no control characters except, with `lines`, line breaks
 */
export function assertVisible(name: string, text: string, { longest = 200, lines = false } = {}): void {
  const shown = lines ? text.replaceAll(/[\n\r\t]/g, ' ') : text;
  const isShort = shown.length <= longest || (shown.length <= 2 * longest && [...shown].length <= longest);
  if (shown.trim() !== '' && isShort && !/\p{Cc}/u.test(shown) && !LONE_SURROGATE.test(shown)) return;
  throw badRequest(`${name} must be 1 to ${longest} visible characters`, { field: name });
}
