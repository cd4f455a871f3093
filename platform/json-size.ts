// Estimates the length of a JSON value's text without serializing it.

/** Sizes of values that are known: to list the names of an object with very many takes long by itself. */
const sizes = new WeakMap<object, number>();

/** Says of a parsed value how many characters its text had. */
export function noteSize(value: object, characters: number): void {
  sizes.set(value, characters);
}

/**
 * Returns the approximate number of characters, at most `most`. The traversal stops once `most` is reached.
 */
export const jsonSize = (value: unknown, most: number): number => most - Math.max(0, roomAfter(value, most));

/** Returns the rest of `room`; negative where the value does not fit. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 5;
  const size = sizes.get(value);
  if (size !== undefined) return room - size;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left > 0; i++) left = roomAfter(value[i], left - 1);
    return left;
  }
  for (const key in value) {
    if (left <= 0) return left;
    // JSON has no inherited keys
    left = roomAfter((value as Readonly<Record<string, unknown>>)[key], left - key.length - 4);
  }
  return left;
}
