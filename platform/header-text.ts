// Decodes a header's value. Node reads its bytes as Latin-1, but most clients send UTF-8.
import { isUtf8 } from 'node:buffer';

/** Returns the text that the client sent: UTF-8 where the bytes are valid UTF-8, else Latin-1. */
export function headerText(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
