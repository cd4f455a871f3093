// Refuses values that JSON would change without a word: what is stored has to be what was given.
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
      return; // JSON leaves out a field, but makes null of an item
    case 'object':
      if (value !== null) checkObject(value, path, above);
      return;
    default:
  }
}

function checkObject(value: object, path: (string | number)[], above: object[]): void {
  if (value instanceof Date && Number.isNaN(value.getTime())) refuse('a Date that is none', path); // null in JSON
  if ('toJSON' in value && typeof value.toJSON === 'function') return; // a Date, for one, says itself what it is in JSON
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

/** @throws ValidationError naming the place of a NaN, a bigint, a Map, a circle: of whatever JSON has no word for */
export function assertStorable(value: unknown, ...name: readonly string[]): void {
  check(value, [...name], []);
}

/** The same of an entity's fields: a plain object. @throws ValidationError */
export function assertFields(data: unknown, name: string): void {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    refuse(
      `${data === null ? 'null' : Array.isArray(data) ? 'a list' : `a ${typeof data}`} in the place of fields`,
      [name],
    );
  if (!isPlain(data)) refuse(`a ${data.constructor.name}`, [name]);
  assertStorable(data, name);
}
