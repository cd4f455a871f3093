// Parses boolean query parameters.

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Undefined for other text. Case is ignored, because some languages write `True`. */
export const readFlag = (text: string): boolean | undefined => FLAGS.get(text.toLowerCase());
