// Defines the syntax tree of an expression. A macro is one node, so that the evaluator and the SQL compiler
// see the same tree.
import type { CelUint } from '@bufbuild/cel';

export type CelConstant = null | boolean | bigint | number | string | CelUint | Uint8Array;

interface Node {
  /** The node's position in the text, in UTF-16 units (for an operator: the operator's position). */
  readonly offset: number;
}
export interface ConstantNode extends Node {
  readonly kind: 'constant';
  readonly value: CelConstant;
}
export interface NameNode extends Node {
  readonly kind: 'name';
  readonly name: string;
}
/** `operand.field` */
export interface SelectNode extends Node {
  readonly kind: 'select';
  readonly operand: CelNode;
  readonly field: string;
}
/** `has(operand.field)` */
export interface HasNode extends Node {
  readonly kind: 'has';
  readonly operand: CelNode;
  readonly field: string;
}
/** A function, a method (with a target), or an operator under its CEL name: `_&&_`, `_[_]`, `@in`. */
export interface CallNode extends Node {
  readonly kind: 'call';
  readonly function: string;
  readonly target: CelNode | null;
  readonly args: readonly CelNode[];
}
export interface ListNode extends Node {
  readonly kind: 'list';
  readonly items: readonly CelNode[];
}
export interface MapNode extends Node {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: CelNode; readonly value: CelNode }[];
}
/** `range.exists(variable, predicate)`, and likewise `all` and `exists_one`. */
export interface TestMacroNode extends Node {
  readonly kind: 'macro';
  readonly macro: 'exists' | 'all' | 'exists_one';
  readonly range: CelNode;
  readonly variable: string;
  readonly predicate: CelNode;
}
/** `map` with one or two functions; `filter` is `map(x, predicate, x)`. */
export interface CollectMacroNode extends Node {
  readonly kind: 'collect';
  readonly range: CelNode;
  readonly variable: string;
  readonly predicate: CelNode | null;
  readonly transform: CelNode;
}
export type CelNode =
  | ConstantNode
  | NameNode
  | SelectNode
  | HasNode
  | CallNode
  | ListNode
  | MapNode
  | TestMacroNode
  | CollectMacroNode;

/** Returns the child nodes in source order. */
export function partsOf(node: CelNode): readonly CelNode[] {
  switch (node.kind) {
    case 'constant':
    case 'name':
      return [];
    case 'select':
    case 'has':
      return [node.operand];
    case 'call':
      return node.target === null ? node.args : [node.target, ...node.args];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'macro':
      return [node.range, node.predicate];
    case 'collect':
      return node.predicate === null
        ? [node.range, node.transform]
        : [node.range, node.predicate, node.transform];
    default:
      return node satisfies never;
  }
}

export const countNodes = (node: CelNode): number =>
  partsOf(node).reduce((sum, part) => sum + countNodes(part), 1);

/** Returns the operands of a chain of `_&&_` or `_||_`, which the parser represents as a balanced tree. */
export function termsOf(node: CelNode, operator: '_&&_' | '_||_'): readonly CelNode[] {
  return node.kind === 'call' && node.function === operator
    ? node.args.flatMap((arg) => termsOf(arg, operator))
    : [node];
}

/** Returns the free names of the node, i.e. those that no enclosing macro binds. */
export function freeNames(
  node: CelNode,
  bound: ReadonlySet<string> = new Set(),
  found = new Set<string>(),
): Set<string> {
  if (node.kind === 'name') {
    if (!bound.has(node.name)) found.add(node.name);
  } else if (node.kind === 'macro' || node.kind === 'collect') {
    freeNames(node.range, bound, found);
    const inner = new Set(bound).add(node.variable);
    for (const part of partsOf(node).slice(1)) freeNames(part, inner, found);
  } else {
    for (const part of partsOf(node)) freeNames(part, bound, found);
  }
  return found;
}
