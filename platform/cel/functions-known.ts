// Lists the functions and operators that an expression may use; any other one is rejected at compile time.

/** Whether the function is called as `f(x)` or as `x.f()`, and with how many arguments. */
interface Form {
  readonly asFunction?: readonly number[] | 'any';
  readonly asMethod?: readonly number[];
}

const timeAccessor: Form = { asMethod: [0, 1] };
const unary: Form = { asFunction: [1] };
const binary: Form = { asFunction: [2] };
const stringTest: Form = { asMethod: [1] };

const KNOWN: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    '_&&_': binary,
    '_||_': binary,
    '!_': unary,
    '_?_:_': { asFunction: [3] },
    '_==_': binary,
    '_!=_': binary,
    '_<_': binary,
    '_<=_': binary,
    '_>_': binary,
    '_>=_': binary,
    '@in': binary,
    '_+_': binary,
    '_-_': binary,
    '_*_': binary,
    '_/_': binary,
    '_%_': binary,
    '-_': unary,
    '_[_]': binary,
    int: unary,
    uint: unary,
    double: unary,
    bool: unary,
    string: unary,
    bytes: unary,
    timestamp: unary,
    duration: unary,
    type: unary,
    dyn: unary,
    size: { asFunction: [1], asMethod: [0] },
    contains: stringTest,
    startsWith: stringTest,
    endsWith: stringTest,
    matches: { asFunction: [2], asMethod: [1] },
    lowerAscii: { asMethod: [0] },
    upperAscii: { asMethod: [0] },
    charAt: { asMethod: [1] },
    indexOf: { asMethod: [1, 2] },
    lastIndexOf: { asMethod: [1, 2] },
    replace: { asMethod: [2, 3] },
    split: { asMethod: [1, 2] },
    substring: { asMethod: [1, 2] },
    trim: { asMethod: [0] },
    join: { asMethod: [0, 1] },
    format: { asMethod: [1] },
    'strings.quote': unary,
    'math.greatest': { asFunction: 'any' },
    'math.least': { asFunction: 'any' },
    'math.ceil': unary,
    'math.floor': unary,
    'math.round': unary,
    'math.trunc': unary,
    'math.abs': unary,
    'math.sign': unary,
    'math.isNaN': unary,
    'math.isInf': unary,
    'math.isFinite': unary,
    'math.bitAnd': binary,
    'math.bitOr': binary,
    'math.bitXor': binary,
    'math.bitNot': unary,
    'math.bitShiftLeft': binary,
    'math.bitShiftRight': binary,
    getFullYear: timeAccessor,
    getMonth: timeAccessor,
    getDate: timeAccessor,
    getDayOfMonth: timeAccessor,
    getDayOfWeek: timeAccessor,
    getDayOfYear: timeAccessor,
    getHours: timeAccessor,
    getMinutes: timeAccessor,
    getSeconds: timeAccessor,
    getMilliseconds: timeAccessor,
  } satisfies Record<string, Form>),
);

const MACROS = new Set(['has', 'exists', 'all', 'exists_one', 'existsOne', 'map', 'filter']);

/** Returns what is wrong with a call; null if nothing is. */
export function faultOfCall(name: string, isMethod: boolean, argumentCount: number): string | null {
  const form = KNOWN.get(name);
  if (form === undefined) {
    if (name === 'has') return 'has() takes a field selection, as in has(data.field)';
    return MACROS.has(name)
      ? `${name}() is called on a list, with the name of a variable and an expression`
      : `unknown function '${name}'`;
  }
  const counts = isMethod ? form.asMethod : form.asFunction;
  if (counts === undefined) return `'${name}' is called as ${isMethod ? `${name}(…)` : `value.${name}(…)`}`;
  const fits = counts === 'any' ? argumentCount > 0 : counts.includes(argumentCount);
  return fits ? null : `'${name}' does not take ${argumentCount} arguments`;
}

const NAMESPACES: ReadonlySet<string> = new Set(
  [...KNOWN.keys()].flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])),
);

/** `math` of `math.abs(x)`: whether what looks like a variable is where functions are. */
export const isNamespace = (name: string): boolean => NAMESPACES.has(name);

/** Names of types, as in `type(data.x) == string`. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
]);
