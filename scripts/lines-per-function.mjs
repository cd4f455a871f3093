// A lint rule: ESLint's `max-lines-per-function`, but for the callback of a `describe`, which holds as many tests as its
// subject has.
import { builtinRules } from 'eslint/use-at-your-own-risk';

const rule = builtinRules.get('max-lines-per-function');

/** `describe(…)`, `describe.each(…)(…)`, `describe.skipIf(…)(…)`. */
function isDescribe(node) {
  if (node.type === 'Identifier') return node.name === 'describe';
  if (node.type === 'CallExpression') return isDescribe(node.callee);
  return node.type === 'MemberExpression' && isDescribe(node.object);
}

export const linesPerFunction = {
  meta: rule.meta,
  create: (context) =>
    rule.create(
      Object.create(context, {
        report: {
          value: (found) => {
            const { parent } = found.node;
            if (parent.type !== 'CallExpression' || !isDescribe(parent.callee)) context.report(found);
          },
        },
      }),
    ),
};
