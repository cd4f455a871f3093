// Parses GraphQL text of requests. graphql-js recurses for each level of nesting, so the depth is limited to
// protect the stack.
import { type DocumentNode, GraphQLError, Lexer, parse, Source, type Token, TokenKind } from 'graphql';

/**
 * Maximum nesting of brackets of all kinds: selections, lists, objects, types. JSON literals may be 200 deep.
 */
const MAX_DEPTH = 250;

const OPENS: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSES: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Only a text with this many opening brackets can be nested too deeply. */
const mayBeDeep = (text: string): boolean => text.split(/[{[(]/, MAX_DEPTH + 2).length > MAX_DEPTH + 1;

/** Checks the depth of valid tokens only; the parser reports other errors. */
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
    if (OPENS.has(token.kind) && ++depth > MAX_DEPTH) {
      throw new GraphQLError(
        `the document is nested too deeply: at most ${MAX_DEPTH} brackets may be open at the same time`,
        { source, positions: [token.start] },
      );
    }
    if (CLOSES.has(token.kind)) depth--;
  }
}

/**
 * @throws GraphQLError where the text does not parse, is nested deeper than {@link MAX_DEPTH}, or has more
 * tokens than `maxTokens`
 */
export function parseDocument(text: string, maxTokens: number): DocumentNode {
  const source = new Source(text);
  if (mayBeDeep(text)) assertShallow(source, maxTokens);
  return parse(source, { maxTokens });
}
