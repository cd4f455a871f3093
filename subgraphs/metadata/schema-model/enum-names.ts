// Which words of an enum can be values of an enum of GraphQL, whose values are names.
const NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;
const TAKEN: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** The first word that is no name; undefined if all are. */
export const oddWord = (words: readonly string[]): string | undefined =>
  words.find((word) => !NAME.test(word) || TAKEN.has(word));

export const areEnumNames = (words: readonly string[]): boolean =>
  words.length > 0 && oddWord(words) === undefined;
