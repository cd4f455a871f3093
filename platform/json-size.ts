// How long a JSON value's text would be, about, without making the text.

/** Characters of the value's JSON, about, `most` at most: it is looked at no further than that takes. */
export const jsonSize = (value: unknown, most: number): number => most - Math.max(0, roomAfter(value, most));

/** What is left of `room`; less than nothing where it does not do. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 5;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left > 0; i++) left = roomAfter(value[i], left - 1);
    return left;
  }
  for (const key in value) {
    if (left <= 0) return left;
    left = roomAfter((value as Readonly<Record<string, unknown>>)[key], left - key.length - 4); // JSON has no inherited keys
  }
  return left;
}
