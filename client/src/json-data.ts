// Refuses values that JSON would change without a word: what is stored has to be what was given.
import { ValidationError } from './errors/errors.ts';

const place = (path: readonly (string | number)[]): string => path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('') || '.';

function refuse(what: string, path: readonly (string | number)[]): never {
  throw new ValidationError(`${place(path).slice(1)}: ${what} cannot be stored`, { code: 'LOCAL_VALIDATION', details: { path: place(path) } });
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // of this realm or another
};

function check(value: unknown, path: (string | number)[], above: object[]): void {
  switch (typeof value) {
    case 'number': if (!Number.isFinite(value)) refuse(String(value), path); return;
    case 'bigint': case 'symbol': case 'function': refuse(`a ${typeof value}`, path); return;
    case 'object': if (value !== null) checkObject(value, path, above); return;
    default:
  }
}

function checkObject(value: object, path: (string | number)[], above: object[]): void {
  if ('toJSON' in value && typeof value.toJSON === 'function') return; // a Date, for one, says itself what it is in JSON
  if (above.includes(value)) refuse('a value that contains itself', path);
  if (!Array.isArray(value) && !isPlain(value)) refuse(`a ${value.constructor.name}`, path);
  above.push(value);
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, part] of parts) {
    path.push(key);
    check(part, path, above);
    path.pop();
  }
  above.pop();
}

/** @throws ValidationError naming the place of a NaN, a bigint, a Map, a circle: of whatever JSON has no word for */
export function assertStorable(value: unknown, name: string): void {
  check(value, [name], []);
}
