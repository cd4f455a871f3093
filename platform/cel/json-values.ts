// Presents plain JSON as CEL values: values are wrapped lazily, and keys never reach a prototype
// (docs/reference/api-conventions.md#property-names).
import type { CelInput } from '@bufbuild/cel';

/**
 * An object as a map of its own properties, so `constructor` and `__proto__` are ordinary keys. The base map
 * caches the wrapped children.
 */
class JsonMap extends Map<string, CelInput> {
  readonly #source: Readonly<Record<string, unknown>>;
  #size: number | undefined;

  constructor(source: Readonly<Record<string, unknown>>) {
    super();
    this.#source = source;
  }

  override get size(): number {
    return (this.#size ??= Object.keys(this.#source).length);
  }

  override get(key: string): CelInput | undefined {
    const known = super.get(key);
    if (known !== undefined || typeof key !== 'string' || !Object.hasOwn(this.#source, key)) return known;
    const value = jsonValue(this.#source[key]);
    if (typeof value === 'object' && value !== null) super.set(key, value);
    return value;
  }

  override has(key: string): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#source, key);
  }

  override *keys(): MapIterator<string> {
    yield* Object.keys(this.#source);
  }

  override *entries(): MapIterator<[string, CelInput]> {
    for (const key of Object.keys(this.#source)) yield [key, jsonValue(this.#source[key])];
  }

  override *values(): MapIterator<CelInput> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries();
  }

  override forEach(callback: (value: CelInput, key: string, map: Map<string, CelInput>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Converts a JSON value to a CEL value: numbers are doubles, `null` is a value.
 * @throws TypeError for a value that is not JSON
 */
export function jsonValue(value: unknown): CelInput {
  if (value === null) return null;
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      if (Array.isArray(value)) {
        const items: readonly unknown[] = value;
        // Scalars of JSON are CEL values, so a list of scalars is passed unchanged. Only a list with objects
        // is wrapped.
        return items.some(isObject) ? items.map(jsonValue) : (items as readonly CelInput[]);
      }
      // an object that is neither null nor an array
      return new JsonMap(value as Readonly<Record<string, unknown>>);
    default:
      throw new TypeError(`${typeof value} is not a JSON value`);
  }
}
