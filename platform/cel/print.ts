// Prints a syntax tree as text, for messages and plans. Parsing the text gives the same tree.
import { isCelUint } from '@bufbuild/cel';
import type { CelConstant, CelNode } from './syntax.ts';

const INFIX: ReadonlyMap<string, string> = new Map([
  ['_&&_', '&&'],
  ['_||_', '||'],
  ['_==_', '=='],
  ['_!=_', '!='],
  ['_<_', '<'],
  ['_<=_', '<='],
  ['_>_', '>'],
  ['_>=_', '>='],
  ['@in', 'in'],
  ['_+_', '+'],
  ['_-_', '-'],
  ['_*_', '*'],
  ['_/_', '/'],
  ['_%_', '%'],
]);

function printConstant(value: CelConstant): string {
  if (value instanceof Uint8Array)
    return `b"${Array.from(value, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(1) : String(value);
  return isCelUint(value) ? `${value.value}u` : String(value);
}

/** Prints an operand, in parentheses if it is an operator. */
function operand(node: CelNode): string {
  const isOperator =
    node.kind === 'call' &&
    (INFIX.has(node.function) ||
      node.function === '_?_:_' ||
      node.function === '!_' ||
      node.function === '-_');
  return isOperator ? `(${printCel(node)})` : printCel(node);
}

function printCall(name: string, target: CelNode | null, args: readonly CelNode[]): string {
  const infix = INFIX.get(name);
  const operands = args.map(operand);
  if (infix !== undefined) return operands.join(` ${infix} `);
  if (name === '!_' || name === '-_') return `${name.charAt(0)}${operands.join('')}`;
  if (name === '_?_:_') return `${operands[0]} ? ${operands[1]} : ${operands[2]}`;
  const inner = args.map(printCel).join(', ');
  if (name === '_[_]') return `${operands[0]}[${args.slice(1).map(printCel).join('')}]`;
  return target === null ? `${name}(${inner})` : `${operand(target)}.${name}(${inner})`;
}

export function printCel(node: CelNode): string {
  switch (node.kind) {
    case 'constant':
      return printConstant(node.value);
    case 'name':
      return node.name;
    case 'select':
      return `${operand(node.operand)}.${node.field}`;
    case 'has':
      return `has(${operand(node.operand)}.${node.field})`;
    case 'call':
      return printCall(node.function, node.target, node.args);
    case 'list':
      return `[${node.items.map(printCel).join(', ')}]`;
    case 'map':
      return `{${node.entries.map(({ key, value }) => `${printCel(key)}: ${printCel(value)}`).join(', ')}}`;
    case 'macro':
      return `${operand(node.range)}.${node.macro}(${node.variable}, ${printCel(node.predicate)})`;
    case 'collect': {
      const parts = [node.predicate, node.transform].filter((part) => part !== null).map(printCel);
      return `${operand(node.range)}.map(${[node.variable, ...parts].join(', ')})`;
    }
    default:
      return node satisfies never;
  }
}
