// A lint rule: a cast tells the compiler what it cannot see, so a comment beside it tells the reader why it is so.
// `as const` and `as unknown` assert nothing.
const ABOVE = 2;
const BELOW = 6;

/** The lines on which the comment for a cast may stand: above it, in it, or until its statement ends. */
function linesAround(node) {
  let statement = node;
  while (!/Statement$|Declaration$|^PropertyDefinition$/.test(statement.type) && statement.parent)
    statement = statement.parent;
  const end = node.loc.end.line;
  return [node.loc.start.line - ABOVE, Math.min(Math.max(statement.loc.end.line, end), end + BELOW)];
}

export const castReason = {
  meta: { type: 'suggestion', schema: [], messages: { none: 'Say in a comment why this cast is right.' } },
  create: (context) => ({
    TSAsExpression(node) {
      const { typeAnnotation: type } = node;
      if (type.type === 'TSUnknownKeyword' || type.typeName?.name === 'const') return;
      const [from, to] = linesAround(node);
      const isExplained = context.sourceCode
        .getAllComments()
        .some(({ loc }) => loc.end.line >= from && loc.start.line <= to);
      if (!isExplained) context.report({ node, messageId: 'none' });
    },
  }),
};
