// Query parameters that are true or false, as callers write them.

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Undefined for what is neither. Some languages write `True`. */
export const readFlag = (text: string): boolean | undefined => FLAGS.get(text.toLowerCase());
