// Parses GraphQL text that somebody sent: graphql-js calls itself for each level of nesting, and would run out of stack.
import { type DocumentNode, GraphQLError, Lexer, parse, Source, type Token, TokenKind } from 'graphql';

/** Deepest nesting of brackets of all kinds: selections, lists, objects, types. JSON literals may be 200 deep. */
export const MOST_NESTED = 250;

const OPENS: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSES: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Only a text with so many opening brackets of a kind can be nested too deep. */
const mayBeDeep = (text: string): boolean => text.split(/[{[(]/, MOST_NESTED + 2).length > MOST_NESTED + 1;

/** Looks at words and signs only, as far as they are ones; the parser says what else is wrong. */
function assertShallow(source: Source, maxTokens: number): void {
  const lexer = new Lexer(source);
  let depth = 0;
  for (let seen = 0; seen <= maxTokens; seen++) {
    let token: Token;
    try {
      token = lexer.advance();
    } catch {
      return;
    }
    if (token.kind === TokenKind.EOF) return;
    if (OPENS.has(token.kind) && ++depth > MOST_NESTED) {
      throw new GraphQLError(
        `the document is nested too deep: at most ${MOST_NESTED} brackets may be open at once`,
        { source, positions: [token.start] },
      );
    }
    if (CLOSES.has(token.kind)) depth--;
  }
}

/** @throws GraphQLError where the text does not parse, is nested deeper than {@link MOST_NESTED}, or has more words and signs than `maxTokens` */
export function parseDocument(text: string, maxTokens: number): DocumentNode {
  const source = new Source(text);
  if (mayBeDeep(text)) assertShallow(source, maxTokens);
  return parse(source, { maxTokens });
}
