// The text of a header's value: node reads its bytes as Latin-1, which some clients mean; most mean UTF-8.
import { isUtf8 } from 'node:buffer';

/** The value as its sender wrote it, letter for letter. */
export function headerText(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
