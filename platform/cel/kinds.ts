// Infers which kind of value an expression can have, without data.
import { isCelUint } from '@bufbuild/cel';
import type { CelConstant, CelNode } from './syntax.ts';

/** `any` means that the kind is only known at run time. */
export type CelKind =
  | 'any'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'list'
  | 'map'
  | 'timestamp'
  | 'duration'
  | 'type'
  | 'number or time';

/** The variables an expression may use and the kind of each. */
export type CelVariables = Readonly<Record<string, CelKind>>;

const RESULT: ReadonlyMap<string, CelKind> = new Map<string, CelKind>([
  ...[
    '_&&_',
    '_||_',
    '!_',
    '_==_',
    '_!=_',
    '_<_',
    '_<=_',
    '_>_',
    '_>=_',
    '@in',
    'contains',
    'startsWith',
    'endsWith',
    'matches',
    'bool',
    'math.isNaN',
    'math.isInf',
    'math.isFinite',
  ].map((name): [string, CelKind] => [name, 'bool']),
  ...[
    'size',
    'int',
    'getFullYear',
    'getMonth',
    'getDate',
    'getDayOfMonth',
    'getDayOfWeek',
    'getDayOfYear',
    'getHours',
    'getMinutes',
    'getSeconds',
    'getMilliseconds',
    'indexOf',
    'lastIndexOf',
  ].map((name): [string, CelKind] => [name, 'int']),
  // `+` also joins strings and lists
  ...['_+_', '_-_', '_*_', '_/_', '_%_', '-_'].map((name): [string, CelKind] => [name, 'number or time']),
  ...['math.ceil', 'math.floor', 'math.round', 'math.trunc'].map((name): [string, CelKind] => [
    name,
    'double',
  ]),
  ...['charAt', 'replace', 'substring', 'trim', 'join', 'format', 'strings.quote'].map(
    (name): [string, CelKind] => [name, 'string'],
  ),
  ['split', 'list'],
  ['uint', 'uint'],
  ['double', 'double'],
  ['string', 'string'],
  ['bytes', 'bytes'],
  ['lowerAscii', 'string'],
  ['upperAscii', 'string'],
  ['timestamp', 'timestamp'],
  ['duration', 'duration'],
  ['type', 'type'],
]);

function kindOfConstant(value: CelConstant): CelKind {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return isCelUint(value) ? 'uint' : 'bytes';
  }
}

function kindOfCall(name: string, args: readonly CelNode[], variables: CelVariables): CelKind {
  const [first, second, third] = args;
  if (name === 'dyn' && first !== undefined) return kindOf(first, variables);
  if (name === '_?_:_' && second !== undefined && third !== undefined) {
    const then = kindOf(second, variables);
    const otherwise = kindOf(third, variables);
    if (then === 'any' || otherwise === 'any') return 'any';
    const isMixed = then !== otherwise && (then === 'bool' || otherwise === 'bool');
    return isMixed ? 'any' : then;
  }
  return RESULT.get(name) ?? 'any';
}

/**
 * Returns the kind of the node's value. Names that are not in `variables` (including a macro's own) are
 * `any`.
 */
export function kindOf(node: CelNode, variables: CelVariables): CelKind {
  switch (node.kind) {
    case 'constant':
      return kindOfConstant(node.value);
    case 'name':
      return Object.hasOwn(variables, node.name) ? (variables[node.name] ?? 'any') : 'any';
    case 'select':
      return 'any';
    case 'has':
    case 'macro':
      return 'bool';
    case 'list':
    case 'collect':
      return 'list';
    case 'map':
      return 'map';
    case 'call':
      return kindOfCall(node.function, node.args, variables);
    default:
      return node satisfies never;
  }
}
