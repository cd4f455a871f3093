// Some versions of V8 give an escaped name of JSON's the first character of its text, a backslash, where an object that was
// parsed before had that name in the same place: Node 24 and 26 (nodejs/node#63785).
import { PartwiseParser } from './partwise-json.ts';

function readsWrongly(): boolean {
  JSON.parse('{"h":[],"\\\\":0}');
  const read = JSON.parse('{"h":1,"\\"":2}') as object; // of two members
  return Object.keys(read)[1] !== '"';
}

/** Whether this process runs on one of these versions. */
export const readsEscapedNamesWrongly = readsWrongly();

/** How many characters of the text may be parsed at once; undefined for as many as usual: a name alone is read right. */
export const partOf = (text: string): number | undefined =>
  readsEscapedNamesWrongly && text.includes('\\') ? 0 : undefined;

/** As JSON.parse. @throws SyntaxError */
export function parsedText(text: string): unknown {
  const part = partOf(text);
  if (part === undefined) return JSON.parse(text);
  const parser = new PartwiseParser(text, part);
  while (parser.step());
  return parser.end();
}
