// Works out the texts that an expression of SQL can have, from the source: literals, constants, templates and
// functions of one expression. Where a condition depends on a value of run time, each of its outcomes is a text.
import ts from 'typescript';

/** A value that is known at run time only. Equal ids are the same value, so that one decision counts for both. */
class Unknown {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

/** A node with the parameters that are bound where it stands. */
interface Bound<Node extends ts.Node> {
  readonly node: Node;
  readonly scope: Scope;
}
type Scope = ReadonlyMap<ts.Node, Value>;
type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Unknown
  | Bound<ts.ObjectLiteralExpression | ts.ArrayLiteralExpression | ts.FunctionLikeDeclaration>;

/** The text is put together in a way that is not followed here. */
export class NotStatic extends Error {
  override name = 'NotStatic';
}

const MAX_TEXTS = 64;
const isBound = (
  value: Value,
): value is Exclude<Value, string | number | boolean | null | undefined | Unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Unknown);
const nowhere: Scope = new Map();
const nameOf = (name: ts.PropertyName): string =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : name.getText();

/** One way through the conditions; those that it has not been told are noted, for the ways that are still to go. */
class Path {
  readonly #told: readonly number[];
  readonly #byId = new Map<string, number>();
  readonly taken: { readonly choice: number; readonly of: number }[] = [];

  constructor(told: readonly number[]) {
    this.#told = told;
  }

  choose(id: string, of: number): number {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const choice = this.#told[this.taken.length] ?? 0;
    this.taken.push({ choice, of });
    this.#byId.set(id, choice);
    return choice;
  }

  /** What to tell the next path; undefined after the last. */
  next(): readonly number[] | undefined {
    for (let i = this.taken.length - 1; i >= 0; i--) {
      const { choice, of } = this.taken[i] ?? { choice: 0, of: 0 };
      if (choice + 1 < of) return [...this.taken.slice(0, i).map((t) => t.choice), choice + 1];
    }
    return undefined;
  }
}

export class Evaluation {
  readonly #checker: ts.TypeChecker;
  readonly #path: Path;

  private constructor(checker: ts.TypeChecker, path: Path) {
    this.#checker = checker;
    this.#path = path;
  }

  /** What `work` answers for each way through the conditions that it meets. */
  static every<T>(checker: ts.TypeChecker, work: (evaluation: Evaluation) => T): T[] {
    const found: T[] = [];
    for (let told: readonly number[] | undefined = []; told !== undefined;) {
      const path: Path = new Path(told);
      found.push(work(new Evaluation(checker, path)));
      if (found.length > MAX_TEXTS) throw new NotStatic('too many texts');
      told = path.next();
    }
    return found;
  }

  /** @throws NotStatic */
  text(node: ts.Expression): string {
    const value = this.#value(node, nowhere);
    if (typeof value !== 'string') throw new NotStatic(node.getText());
    return value;
  }

  /** The expressions of a list; undefined where they are not known one by one. */
  elements(node: ts.Expression): readonly ts.Expression[] | undefined {
    try {
      const value = this.#value(node, nowhere);
      // a list that has a type of its own is filled later
      const isWhole =
        isBound(value) && ts.isArrayLiteralExpression(value.node) && value.node.elements.length > 0;
      return isWhole ? value.node.elements : undefined;
    } catch (error) {
      if (error instanceof NotStatic) return undefined;
      throw error;
    }
  }

  /** A property's expression in an object that stands there, or is a constant. */
  property(node: ts.Expression, name: string): ts.Expression | undefined {
    const value = this.#value(node, nowhere);
    if (!isBound(value) || !ts.isObjectLiteralExpression(value.node)) throw new NotStatic(node.getText());
    return this.#member(value.node, name);
  }

  #member(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
    for (const member of node.properties) {
      if (member.name === undefined || !ts.isPropertyName(member.name) || nameOf(member.name) !== name)
        continue;
      if (ts.isPropertyAssignment(member)) return member.initializer;
      if (ts.isShorthandPropertyAssignment(member)) return member.name;
    }
    return undefined;
  }

  #value(node: ts.Expression, scope: Scope): Value {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''));
    if (ts.isTemplateExpression(node)) return this.#template(node, scope);
    if (ts.isIdentifier(node)) return this.#identifier(node, scope);
    if (ts.isConditionalExpression(node))
      return this.#value(this.#isTrue(node.condition, scope) ? node.whenTrue : node.whenFalse, scope);
    if (ts.isBinaryExpression(node)) return this.#binary(node, scope);
    if (ts.isCallExpression(node)) return this.#call(node, scope);
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      return this.#access(node, scope);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return this.#value(node.expression, scope);
    if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node) || ts.isArrowFunction(node))
      return { node, scope };
    if (node.kind === ts.SyntaxKind.NullKeyword) return null;
    return new Unknown(`${node.getSourceFile().fileName}:${node.pos}`);
  }

  #template(node: ts.TemplateExpression, scope: Scope): string {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const value = this.#oneOf(this.#value(span.expression, scope), span.expression);
      if (typeof value !== 'string' && typeof value !== 'number')
        throw new NotStatic(span.expression.getText());
      text += `${value}${span.literal.text}`;
    }
    return text;
  }

  /** A value that the type says is one of a few texts is each of them in turn. */
  #oneOf(value: Value, node: ts.Expression): Value {
    if (!(value instanceof Unknown)) return value;
    const type = this.#checker.getTypeAtLocation(node);
    const all = (type.isUnion() ? type.types : [type]).map((one) =>
      one.isStringLiteral() ? one.value : undefined,
    );
    if (all.includes(undefined)) throw new NotStatic(node.getText());
    return all[this.#path.choose(value.id, all.length)];
  }

  #identifier(node: ts.Identifier, scope: Scope): Value {
    if (node.text === 'undefined') return undefined;
    const shorthand = ts.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : undefined;
    let symbol = shorthand ?? this.#checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol);
    const declaration = symbol?.valueDeclaration;
    if (declaration === undefined) throw new NotStatic(node.text);
    if (scope.has(declaration)) return scope.get(declaration);
    if (ts.isFunctionDeclaration(declaration)) return { node: declaration, scope: nowhere };
    if (ts.isVariableDeclaration(declaration)) {
      const list = declaration.parent;
      if (ts.isVariableDeclarationList(list) && ts.isForOfStatement(list.parent))
        return this.#eachOf(list.parent.expression, scope);
      if (declaration.initializer && list.flags & ts.NodeFlags.Const && ts.isIdentifier(declaration.name))
        return this.#value(declaration.initializer, scope);
    }
    return new Unknown(`${declaration.getSourceFile().fileName}:${declaration.pos}`);
  }

  #eachOf(list: ts.Expression, scope: Scope): Value {
    const value = this.#value(list, scope);
    if (!isBound(value) || !ts.isArrayLiteralExpression(value.node)) throw new NotStatic(list.getText());
    const { elements } = value.node;
    const element = elements[this.#path.choose(`each of ${list.pos}`, elements.length)];
    return element && this.#value(element, value.scope);
  }

  #access(node: ts.PropertyAccessExpression | ts.ElementAccessExpression, scope: Scope): Value {
    const owner = this.#value(node.expression, scope);
    const key = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : this.#oneOf(this.#value(node.argumentExpression, scope), node.argumentExpression);
    if (typeof key !== 'string') throw new NotStatic(node.getText());
    if (owner instanceof Unknown) return new Unknown(`${owner.id}.${key}`);
    if (!isBound(owner) || !ts.isObjectLiteralExpression(owner.node)) throw new NotStatic(node.getText());
    const member = this.#member(owner.node, key);
    return member && this.#value(member, owner.scope);
  }

  #isTrue(node: ts.Expression, scope: Scope): boolean {
    const value = this.#value(node, scope);
    return value instanceof Unknown ? this.#path.choose(value.id, 2) === 0 : Boolean(value);
  }

  #binary({ left, operatorToken, right }: ts.BinaryExpression, scope: Scope): Value {
    const first = this.#value(left, scope);
    switch (operatorToken.kind) {
      case ts.SyntaxKind.PlusToken: {
        const second = this.#value(right, scope);
        if (typeof first !== 'string' || typeof second !== 'string') throw new NotStatic(left.getText());
        return first + second;
      }
      case ts.SyntaxKind.AsteriskToken: {
        const second = this.#value(right, scope);
        if (typeof first !== 'number' || typeof second !== 'number') throw new NotStatic(left.getText());
        return first * second;
      }
      case ts.SyntaxKind.EqualsEqualsEqualsToken:
      case ts.SyntaxKind.ExclamationEqualsEqualsToken: {
        const second = this.#value(right, scope);
        const isEqual =
          first instanceof Unknown || second instanceof Unknown
            ? this.#path.choose(`${this.#idOf(first)} = ${this.#idOf(second)}`, 2) === 0
            : first === second;
        return isEqual === (operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken);
      }
      case ts.SyntaxKind.QuestionQuestionToken:
        return first instanceof Unknown ? first : (first ?? this.#value(right, scope));
      default:
        throw new NotStatic(operatorToken.getText());
    }
  }

  #idOf = (value: Value): string => (value instanceof Unknown ? value.id : JSON.stringify(value));

  #call(node: ts.CallExpression, scope: Scope): Value {
    const called = this.#value(node.expression, scope);
    if (!isBound(called) || !ts.isFunctionLike(called.node)) throw new NotStatic(node.getText());
    const { parameters, body } = called.node;
    const inner = new Map(called.scope);
    parameters.forEach((parameter, i) => {
      const argument = node.arguments[i] ?? parameter.initializer;
      const value =
        argument === undefined ? undefined : this.#value(argument, node.arguments[i] ? scope : inner);
      this.#bind(parameter.name, parameter, value, inner);
    });
    if (body === undefined) throw new NotStatic(node.getText());
    if (!ts.isBlock(body)) return this.#value(body, inner);
    const [only] = body.statements;
    if (body.statements.length !== 1 || !only || !ts.isReturnStatement(only) || !only.expression)
      throw new NotStatic(node.getText());
    return this.#value(only.expression, inner);
  }

  #bind(name: ts.BindingName, declaration: ts.Node, value: Value, scope: Map<ts.Node, Value>): void {
    if (ts.isIdentifier(name)) {
      scope.set(declaration, value);
      return;
    }
    for (const element of name.elements) {
      if (ts.isOmittedExpression(element)) continue;
      const key = (element.propertyName ?? element.name).getText();
      const isKnown = isBound(value) && ts.isObjectLiteralExpression(value.node);
      const member = isKnown ? this.#member(value.node, key) : undefined;
      const known =
        isKnown && member ? this.#value(member, value.scope) : new Unknown(`${declaration.pos}.${key}`);
      this.#bind(element.name, element, known, scope);
    }
  }
}
