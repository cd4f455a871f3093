// Parses text into a syntax tree. The library parses; this file makes all checks that need no values
// (docs/reference/cel.md#refusals).
import { celUint, parse as parseText } from '@bufbuild/cel';
import { closest } from '../config/closest.ts';
import { orMeant } from '../suggestions.ts';
import { CelError } from './cel-error.ts';
import { TYPE_NAMES, faultOfCall, isNamespace } from './functions-known.ts';
import { CEL_LIMITS } from './limits.ts';
import { faultOfPattern } from './patterns.ts';
import { assertParsable } from './scan.ts';
import type { CelConstant, CelNode } from './syntax.ts';

type Parsed = ReturnType<typeof parseText>;
type Expr = Parsed['expr'];
type Kind<Case> = Extract<Expr['exprKind'], { case: Case }>['value'];
type Call = Kind<'callExpr'>;
type Comprehension = Kind<'comprehensionExpr'>;

/** Longer names are not compared, and cut where they are told. */
const MAX_WORD = 100;

function parsed(text: string): Parsed {
  assertParsable(text);
  try {
    return parseText(`${text}\n`); // the grammar requires a line end after a comment
  } catch (error) {
    if (error instanceof RangeError) throw new CelError('the expression is nested too deeply', text, 0);
    if (!(error instanceof Error)) throw error;
    throw new CelError(
      `syntax error: ${error.message.replace(/^<input>:\d+:\d+: /, '')}`,
      text,
      offsetOfSyntaxError(error, text),
    );
  }
}

function offsetOfSyntaxError(error: Error, text: string): number {
  // The parser's error class is not exported; the fields are checked below.
  const { location } = error as { location?: { start?: { offset?: unknown } } };
  const offset = location?.start?.offset;
  return typeof offset === 'number' ? Math.min(offset, text.length) : 0;
}

/** Reads one expression: counts its nodes and tracks the names in scope. */
class Reader {
  private readonly text: string;
  private readonly positions: Readonly<Record<string, number>>;
  /** null: any name may be bound at run time. */
  private readonly names: ReadonlySet<string> | null;
  private nodes = 0;

  constructor(text: string, positions: Readonly<Record<string, number>>, names: ReadonlySet<string> | null) {
    this.text = text;
    this.positions = positions;
    this.names = names;
  }

  read(expr: Expr | undefined, depth: number, bound: readonly string[]): CelNode {
    if (expr === undefined) throw new CelError('invalid expression', this.text, 0);
    const offset = this.offsetOf(expr);
    if (++this.nodes > CEL_LIMITS.nodes)
      this.refuse(`the expression has more than ${CEL_LIMITS.nodes} terms`, offset);
    if (depth > CEL_LIMITS.depth)
      this.refuse(`the expression is nested more than ${CEL_LIMITS.depth} deep`, offset);
    const { exprKind } = expr;
    const inner = depth + 1;
    switch (exprKind.case) {
      case 'constExpr':
        return { kind: 'constant', offset, value: this.constant(exprKind.value, offset) };
      case 'identExpr':
        return this.name(exprKind.value.name, offset, bound);
      case 'selectExpr': {
        const { field, testOnly, operand } = exprKind.value;
        return {
          kind: testOnly ? 'has' : 'select',
          offset,
          operand: this.read(operand, inner, bound),
          field,
        };
      }
      case 'callExpr':
        return this.call(exprKind.value, offset, inner, bound);
      case 'listExpr':
        return {
          kind: 'list',
          offset,
          items: exprKind.value.elements.map((item) => this.read(item, inner, bound)),
        };
      case 'structExpr':
        return this.map(exprKind.value, offset, inner, bound);
      case 'comprehensionExpr':
        return this.macro(exprKind.value, offset, inner, bound);
      default:
        return this.refuse('invalid expression', offset);
    }
  }

  /** The parser includes the white space before an operator. */
  private offsetOf(expr: Expr): number {
    let offset = this.positions[String(expr.id)] ?? 0;
    while (/\s/.test(this.text.charAt(offset))) offset++;
    return offset;
  }

  private refuse(message: string, offset: number): never {
    throw new CelError(message, this.text, offset);
  }

  private constant(value: Kind<'constExpr'>, offset: number): CelConstant {
    const { constantKind } = value;
    switch (constantKind.case) {
      case 'nullValue':
        return null;
      case 'boolValue':
      case 'stringValue':
      case 'bytesValue':
        return constantKind.value;
      case 'int64Value':
        return BigInt.asIntN(64, constantKind.value) === constantKind.value
          ? constantKind.value
          : this.refuse('the integer is out of range', offset);
      case 'uint64Value':
        return BigInt.asUintN(64, constantKind.value) === constantKind.value
          ? celUint(constantKind.value)
          : this.refuse('the integer is out of range', offset);
      case 'doubleValue':
        return Number.isFinite(constantKind.value)
          ? constantKind.value
          : this.refuse('the number is out of range', offset);
      default:
        return this.refuse('invalid literal', offset);
    }
  }

  private name(name: string, offset: number, bound: readonly string[]): CelNode {
    const known = bound.includes(name) || this.names === null || this.names.has(name) || TYPE_NAMES.has(name);
    if (!known) this.refuse(`unknown name '${name}'${this.meant(name)}`, offset);
    return { kind: 'name', offset, name };
  }

  /** A name that is in scope, or how a field is written: without `data.` it is what is forgotten most. */
  private meant(name: string): string {
    const near = closest(name.slice(0, MAX_WORD), [...(this.names ?? [])]);
    if (near !== undefined) return orMeant(near);
    return this.names?.has('data') === true ? `; a field is written data.${name.slice(0, MAX_WORD)}` : '';
  }

  private call(call: Call, offset: number, depth: number, bound: readonly string[]): CelNode {
    const { name, of } = this.called(call, bound);
    const fault = faultOfCall(name, of !== undefined, call.args.length);
    if (fault !== null) this.refuse(fault, offset);
    const target = of === undefined ? null : this.read(of, depth, bound);
    const args = call.args.map((arg) => this.read(arg, depth, bound));
    if (name === 'matches') this.pattern(args.at(-1));
    return { kind: 'call', offset, function: name, target, args };
  }

  /** `math.abs(x)` is a function with that name, unless `math` is a variable. */
  private called({ function: name, target }: Call, bound: readonly string[]): { name: string; of?: Expr } {
    if (target === undefined) return { name };
    const { exprKind } = target;
    const space = exprKind.case === 'identExpr' ? exprKind.value.name : '';
    const isVariable = bound.includes(space) || this.names?.has(space) === true;
    return isNamespace(space) && !isVariable ? { name: `${space}.${name}` } : { name, of: target };
  }

  /** A literal pattern is compiled now, so that an invalid one is rejected instead of never matching. */
  private pattern(node: CelNode | undefined): void {
    if (node?.kind !== 'constant' || typeof node.value !== 'string') return;
    const fault = faultOfPattern(node.value);
    if (fault !== null) this.refuse(fault, node.offset);
  }

  private map(struct: Kind<'structExpr'>, offset: number, depth: number, bound: readonly string[]): CelNode {
    if (struct.messageName !== '') this.refuse(`unknown type '${struct.messageName}'`, offset);
    const entries = struct.entries.map((entry) => {
      if (entry.keyKind.case !== 'mapKey') return this.refuse('invalid map', offset);
      return {
        key: this.read(entry.keyKind.value, depth, bound),
        value: this.read(entry.value, depth, bound),
      };
    });
    return { kind: 'map', offset, entries };
  }

  private macro(fold: Comprehension, offset: number, depth: number, bound: readonly string[]): CelNode {
    const variable = fold.iterVar;
    const range = this.read(fold.iterRange, depth, bound);
    const inside = [...bound, variable];
    if (inside.length > CEL_LIMITS.macroNesting)
      this.refuse(`list macros nest at most ${CEL_LIMITS.macroNesting} deep`, offset);
    const step = fold.loopStep?.exprKind;
    if (step?.case !== 'callExpr') return this.refuse('invalid macro', offset);
    const { function: operator, args } = step.value;
    const part = (index: number): CelNode => this.read(args[index], depth, inside);
    switch (operator) {
      case '_||_':
        return { kind: 'macro', macro: 'exists', offset, range, variable, predicate: part(1) };
      case '_&&_':
        return { kind: 'macro', macro: 'all', offset, range, variable, predicate: part(1) };
      case '_+_':
        return {
          kind: 'collect',
          offset,
          range,
          variable,
          predicate: null,
          transform: this.collected(step.value, depth, inside),
        };
      case '_?_:_': {
        const predicate = part(0);
        const then = args[1]?.exprKind;
        if (then?.case !== 'callExpr') return this.refuse('invalid macro', offset);
        return then.value.args[1]?.exprKind.case === 'listExpr'
          ? {
              kind: 'collect',
              offset,
              range,
              variable,
              predicate,
              transform: this.collected(then.value, depth, inside),
            }
          : { kind: 'macro', macro: 'exists_one', offset, range, variable, predicate };
      }
      default:
        return this.refuse('invalid macro', offset);
    }
  }

  /** Returns the `f` of `@result + [f]`. */
  private collected(append: Call, depth: number, bound: readonly string[]): CelNode {
    const list = append.args[1]?.exprKind;
    return this.read(list?.case === 'listExpr' ? list.value.elements[0] : undefined, depth, bound);
  }
}

/**
 * Parses and checks an expression.
 * @param names the allowed variables, null if any are allowed
 * @throws CelError for a syntax error, an unknown name or function, or an exceeded limit
 */
export function parseCel(text: string, names: ReadonlySet<string> | null): CelNode {
  const { expr, sourceInfo } = parsed(text);
  return new Reader(text, sourceInfo?.positions ?? {}, names).read(expr, 0, []);
}
