// What is a large answer, and what its objects take in memory.

/**
 * An answer up to this size is made in one go; one beyond it takes turns, and shares the memory for
 * large ones.
 */
const LARGE_OBJECTS = 2000;
/** Their fields, which take as long: a few objects may have a hundred each. */
const LARGE_FIELDS = 16_000;
const LARGE_BYTES = 1024 * 1024;

export const isLargeAnswer = (objects: number, fields: number, bytes: number): boolean =>
  objects > LARGE_OBJECTS || fields > LARGE_FIELDS || bytes > LARGE_BYTES;

/** Memory that an object takes beside its text, and each of its fields. */
export const OBJECT_BYTES = 64;
