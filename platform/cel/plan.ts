// Converts a syntax tree to an executable plan of the library, with step counting where work can multiply.
import { isCelUint, plan } from '@bufbuild/cel';
import type { CelInput, CelResult, parse } from '@bufbuild/cel';
import { environment } from './functions.ts';
import { countNodes, partsOf } from './syntax.ts';
import type { CelConstant, CelNode, CollectMacroNode, TestMacroNode } from './syntax.ts';

type Expr = ReturnType<typeof parse>['expr'];
type ExprKind = Expr['exprKind'];
type Constant = Extract<ExprKind, { case: 'constExpr' }>['value']['constantKind'];

const expr = (exprKind: ExprKind): Expr => ({ $typeName: 'cel.expr.Expr', id: 0n, exprKind });
const constant = (constantKind: Constant): Expr =>
  expr({ case: 'constExpr', value: { $typeName: 'cel.expr.Constant', constantKind } });
const bool = (value: boolean): Expr => constant({ case: 'boolValue', value });
const int = (value: number): Expr => constant({ case: 'int64Value', value: BigInt(value) });
const name = (text: string): Expr =>
  expr({ case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name: text } });
const call = (fn: string, ...args: Expr[]): Expr =>
  expr({ case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: fn, args } });
const listOf = (elements: Expr[]): Expr =>
  expr({
    case: 'listExpr',
    value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] },
  });

function literal(value: CelConstant): Expr {
  if (value === null) return constant({ case: 'nullValue', value: 0 });
  switch (typeof value) {
    case 'boolean':
      return bool(value);
    case 'string':
      return constant({ case: 'stringValue', value });
    case 'number':
      return constant({ case: 'doubleValue', value });
    case 'bigint':
      return constant({ case: 'int64Value', value });
    default:
      return isCelUint(value)
        ? constant({ case: 'uint64Value', value: value.value })
        : constant({ case: 'bytesValue', value });
  }
}

const ACCUMULATOR = '@result';

function fold(
  node: TestMacroNode | CollectMacroNode,
  init: Expr,
  condition: Expr | null,
  step: Expr,
  result: Expr,
): Expr {
  const tick = call(
    '@tick',
    int(
      1 +
        partsOf(node)
          .slice(1)
          .reduce((sum, part) => sum + countNodes(part), 0),
    ),
  ); // all but the range
  return expr({
    case: 'comprehensionExpr',
    value: {
      $typeName: 'cel.expr.Expr.Comprehension',
      iterVar: node.variable,
      iterVar2: '',
      iterRange: call('@range', toExpr(node.range)),
      accuVar: ACCUMULATOR,
      accuInit: init,
      loopCondition: condition === null ? tick : call('_&&_', tick, condition),
      loopStep: step,
      result,
    },
  });
}

function testMacro(node: TestMacroNode): Expr {
  const result = name(ACCUMULATOR);
  const predicate = toExpr(node.predicate);
  switch (node.macro) {
    case 'exists':
      return fold(
        node,
        bool(false),
        call('@not_strictly_false', call('!_', result)),
        call('_||_', result, predicate),
        result,
      );
    case 'all':
      return fold(
        node,
        bool(true),
        call('@not_strictly_false', result),
        call('_&&_', result, predicate),
        result,
      );
    case 'exists_one':
      return fold(
        node,
        int(0),
        null,
        call('_?_:_', predicate, call('_+_', result, int(1)), result),
        call('_==_', result, int(1)),
      );
    default:
      return node.macro satisfies never;
  }
}

function collectMacro(node: CollectMacroNode): Expr {
  const result = name(ACCUMULATOR);
  const append = call('@append', result, toExpr(node.transform));
  return fold(
    node,
    call('@newList'),
    null,
    node.predicate === null ? append : call('_?_:_', toExpr(node.predicate), append, result),
    result,
  );
}

function callOf(fn: string, target: CelNode | null, args: readonly CelNode[]): Expr {
  const parts = args.map(toExpr);
  if (fn === '_[_]') return call('@at', ...parts);
  // of several numbers, or of those in a list
  if (fn === 'math.greatest' || fn === 'math.least')
    return parts.length === 1 ? call(fn, ...parts) : call(fn, listOf(parts));
  const [item, list] = parts;
  if (fn === '@in' && item !== undefined && list !== undefined)
    return call('@in', item, call('@needList', list));
  const made = call(fn, ...parts);
  if (target !== null && made.exprKind.case === 'callExpr') made.exprKind.value.target = toExpr(target);
  return made;
}

function toExpr(node: CelNode): Expr {
  switch (node.kind) {
    case 'constant':
      return literal(node.value);
    case 'name':
      return name(node.name);
    case 'select':
      return expr({
        case: 'selectExpr',
        value: {
          $typeName: 'cel.expr.Expr.Select',
          operand: toExpr(node.operand),
          field: node.field,
          testOnly: false,
        },
      });
    case 'has':
      return call('@has', literal(node.field), toExpr(node.operand));
    case 'call':
      return callOf(node.function, node.target, node.args);
    case 'list':
      return listOf(node.items.map(toExpr));
    case 'map':
      return expr({
        case: 'structExpr',
        value: {
          $typeName: 'cel.expr.Expr.CreateStruct',
          messageName: '',
          entries: node.entries.map((entry) => ({
            $typeName: 'cel.expr.Expr.CreateStruct.Entry' as const,
            id: 0n,
            keyKind: { case: 'mapKey' as const, value: toExpr(entry.key) },
            value: toExpr(entry.value),
            optionalEntry: false,
          })),
        },
      });
    case 'macro':
      return testMacro(node);
    case 'collect':
      return collectMacro(node);
    default:
      return node satisfies never;
  }
}

/**
 * Evaluates with the variables of `context`, an object without a prototype. Errors are returned as values; it
 * does not throw.
 */
export type CelPlan = (context: Record<string, CelInput>) => CelResult;

export const planCel = (node: CelNode): CelPlan => plan(environment, toExpr(node));
