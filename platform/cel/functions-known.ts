// Lists the functions and operators that an expression may use; any other one is rejected at compile time.

/** Whether the function is called as `f(x)` or as `x.f()`, and with how many arguments. */
interface Form {
  readonly asFunction?: readonly number[];
  readonly asMethod?: readonly number[];
}

const timeAccessor: Form = { asMethod: [0, 1] };
const conversion: Form = { asFunction: [1] };
const binary: Form = { asFunction: [2] };
const stringTest: Form = { asMethod: [1] };

const KNOWN: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    '_&&_': binary,
    '_||_': binary,
    '!_': { asFunction: [1] },
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
    '-_': { asFunction: [1] },
    '_[_]': binary,
    int: conversion,
    uint: conversion,
    double: conversion,
    bool: conversion,
    string: conversion,
    bytes: conversion,
    timestamp: conversion,
    duration: conversion,
    type: conversion,
    dyn: conversion,
    size: { asFunction: [1], asMethod: [0] },
    contains: stringTest,
    startsWith: stringTest,
    endsWith: stringTest,
    matches: { asFunction: [2], asMethod: [1] },
    lowerAscii: { asMethod: [0] },
    upperAscii: { asMethod: [0] },
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
      ? `${name}() takes a list before it, a variable's name and an expression`
      : `unknown function '${name}'`;
  }
  const counts = isMethod ? form.asMethod : form.asFunction;
  if (counts === undefined) return `'${name}' is called as ${isMethod ? `${name}(…)` : `value.${name}(…)`}`;
  return counts.includes(argumentCount) ? null : `'${name}' does not take ${argumentCount} arguments`;
}

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
