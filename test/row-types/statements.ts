// Finds the statements of the product in its source: every call of `pg`, with the row type that it names.
import path from 'node:path';
import ts from 'typescript';
import { Evaluation, NotStatic } from './sql-text.ts';

/** One text of a statement, with what is given for its parameters. */
export interface Variant {
  readonly text: string;
  /** Undefined where the list of values is put together at run time. */
  readonly parameters: readonly ts.Type[] | undefined;
}

export interface Statement {
  /** `file#function` */
  readonly site: string;
  readonly file: string;
  /** From the first line to the last. */
  readonly lines: readonly [number, number];
  /** The same of what waits for its answer: where the stack has it, once the call has given way to others. */
  readonly awaited: readonly [number, number];
  /** Undefined where no rows are read. */
  readonly row: ts.Type | undefined;
  /** The driver gives each column as text. */
  readonly isText: boolean;
  /** Undefined where the text is put together at run time. */
  readonly variants: readonly Variant[] | undefined;
}

/** Where a name of a function or a method stands around the node. */
function functionAround(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) && at.name) return at.name.getText();
    if (
      ts.isVariableDeclaration(at) &&
      at.initializer &&
      (ts.isArrowFunction(at.initializer) || ts.isFunctionExpression(at.initializer)) &&
      ts.isIdentifier(at.name)
    )
      return at.name.text;
  }
  return '(module)';
}

function awaitAround(node: ts.Node): ts.Node {
  for (let at: ts.Node = node; !ts.isStatement(at) && !ts.isFunctionLike(at); at = at.parent)
    if (ts.isAwaitExpression(at)) return at;
  return node;
}

/** What a call sends: the text and its values, or one object of both. */
interface Sent {
  readonly row: ts.TypeNode | undefined;
  readonly query: ts.Expression;
  readonly values: ts.Expression | undefined;
}

function sentBy(node: ts.CallExpression, checker: ts.TypeChecker): Sent | undefined {
  const { expression, typeArguments, arguments: given } = node;
  if (ts.isIdentifier(expression) && expression.text === 'readShared' && given[1])
    return { row: typeArguments?.[0], query: given[1], values: undefined };
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'query' || !given[0])
    return undefined;
  const declared = checker.getResolvedSignature(node)?.declaration?.getSourceFile().fileName ?? '';
  if (!declared.includes('@types/pg/')) return undefined;
  const [first] = given;
  if (ts.isNewExpression(first) && first.arguments?.[0])
    // a cursor
    return { row: first.typeArguments?.[0], query: first.arguments[0], values: first.arguments[1] };
  return { row: typeArguments?.[0], query: first, values: given[1] };
}

/** The types of the values; a tuple that is spread is its members. */
function typesOf(
  elements: readonly ts.Expression[],
  checker: ts.TypeChecker,
): readonly ts.Type[] | undefined {
  const types: ts.Type[] = [];
  for (const element of elements) {
    if (!ts.isSpreadElement(element)) {
      types.push(checker.getTypeAtLocation(element));
      continue;
    }
    const spread = checker.getTypeAtLocation(element.expression);
    if (!checker.isTupleType(spread)) return undefined;
    types.push(...checker.getTypeArguments(spread as ts.TypeReference));
  }
  return types;
}

/** `prepared(text, values)` is `{ text, values }` under a name. */
function opened(
  query: ts.Expression,
  evaluation: Evaluation,
): { text: ts.Expression; values?: ts.Expression | undefined } {
  if (ts.isCallExpression(query) && query.expression.getText() === 'prepared' && query.arguments[0])
    return { text: query.arguments[0], values: query.arguments[1] };
  if (!ts.isObjectLiteralExpression(query)) return { text: query };
  const text = evaluation.property(query, 'text');
  if (text === undefined) throw new NotStatic(query.getText());
  return { text, values: evaluation.property(query, 'values') };
}

function variantsOf(sent: Sent, checker: ts.TypeChecker): readonly Variant[] | undefined {
  try {
    return Evaluation.every(checker, (evaluation) => {
      const { text, values = sent.values } = opened(sent.query, evaluation);
      const elements = values === undefined ? [] : evaluation.elements(values);
      return { text: evaluation.text(text), parameters: elements && typesOf(elements, checker) };
    });
  } catch (error) {
    if (error instanceof NotStatic) return undefined;
    throw error;
  }
}

/** @param within the folder that names of files are relative to */
export function findStatements(program: ts.Program, files: readonly string[], within: string): Statement[] {
  const checker = program.getTypeChecker();
  const found: Statement[] = [];
  for (const fileName of files) {
    const source = program.getSourceFile(fileName);
    if (!source) throw new Error(`${fileName} is not in the program`);
    const file = path.relative(within, fileName);
    const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
    const linesOf = (node: ts.Node): [number, number] => [lineOf(node.getStart()), lineOf(node.end)];
    const visit = (node: ts.Node): void => {
      const sent = ts.isCallExpression(node) ? sentBy(node, checker) : undefined;
      if (sent)
        found.push({
          site: `${file}#${functionAround(node)}`,
          file,
          lines: linesOf(node),
          awaited: linesOf(awaitAround(node)),
          row: sent.row && checker.getTypeFromTypeNode(sent.row),
          isText: /\btypes: rowsAsText\b/.test(node.getText()),
          variants: variantsOf(sent, checker),
        });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}
