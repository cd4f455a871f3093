// Rejects values that JSON would silently change, so that the server stores what was given.
import { ValidationError } from './errors/errors.ts';

const place = (path: readonly (string | number)[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('') || '.';

function refuse(what: string, path: readonly (string | number)[]): never {
  throw new ValidationError(`${place(path).slice(1)}: ${what} cannot be sent`, {
    code: 'LOCAL_VALIDATION',
    details: { path: place(path) },
  });
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // of this realm or another
};

function check(value: unknown, path: (string | number)[], above: object[]): void {
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) refuse(String(value), path);
      return;
    case 'bigint':
    case 'symbol':
    case 'function':
      refuse(`a ${typeof value}`, path);
      return;
    case 'undefined':
      if (typeof path.at(-1) === 'number') refuse('undefined in a list', path);
      return; // JSON omits such a field, but writes null for such an item
    case 'object':
      if (value !== null) checkObject(value, path, above);
      return;
    default:
  }
}

function checkObject(value: object, path: (string | number)[], above: object[]): void {
  // null in JSON
  if (value instanceof Date && Number.isNaN(value.getTime())) refuse('an invalid Date', path);
  // An object with toJSON, such as a Date, defines its own JSON form.
  if ('toJSON' in value && typeof value.toJSON === 'function') return;
  if (above.includes(value)) refuse('a value that contains itself', path);
  if (!Array.isArray(value) && !isPlain(value)) refuse(`a ${value.constructor.name}`, path);
  above.push(value);
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [key, part] of parts) {
    path.push(key);
    check(part, path, above);
    path.pop();
  }
  above.pop();
}

/**
 * @throws ValidationError naming the position of a value that JSON cannot represent: NaN, a bigint, a Map, a
 * circular reference
 */
export function assertStorable(value: unknown, ...name: readonly string[]): void {
  check(value, [...name], []);
}

/** The same for an entity's fields, which must be a plain object. @throws ValidationError */
export function assertFields(data: unknown, name: string): void {
  if (data === null) refuse('null in the place of fields', [name]);
  if (Array.isArray(data)) refuse('a list in the place of fields', [name]);
  if (typeof data !== 'object') refuse(`a ${typeof data} in the place of fields`, [name]);
  if (!isPlain(data)) refuse(`a ${data.constructor.name}`, [name]);
  assertStorable(data, name);
}
