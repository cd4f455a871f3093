// Checks the nesting depth of a text before it is parsed, because the parser is recursive.
import { CelError } from './cel-error.ts';
import { CEL_LIMITS } from './limits.ts';

const STRING_OR_COMMENT = /\/\/[^\n]*|([rR]?)("""|'''|"|')/y;

/** Returns the end of the string literal whose body begins at `from`; the text's end if it is not closed. */
function endOfString(text: string, from: number, quote: string, raw: boolean): number {
  let at = from;
  while (at < text.length && !text.startsWith(quote, at)) at += !raw && text[at] === '\\' ? 2 : 1;
  return at + quote.length;
}

/** @throws CelError when the text is too long or its brackets are nested too deeply */
export function assertParsable(text: string): void {
  if (text.length > CEL_LIMITS.characters) {
    throw new CelError(
      `the expression is longer than ${CEL_LIMITS.characters} characters`,
      text,
      CEL_LIMITS.characters,
    );
  }
  let depth = 0;
  for (let at = 0; at < text.length;) {
    STRING_OR_COMMENT.lastIndex = at;
    const match = STRING_OR_COMMENT.exec(text);
    if (match !== null) {
      at += match[0].length;
      const quote = match[2];
      if (quote !== undefined) at = endOfString(text, at, quote, match[1] !== '');
      continue;
    }
    const character = text.charAt(at);
    if ('([{'.includes(character) && ++depth > CEL_LIMITS.depth) {
      throw new CelError(`the expression is nested more than ${CEL_LIMITS.depth} deep`, text, at);
    }
    if (')]}'.includes(character)) depth--;
    at++;
  }
}
