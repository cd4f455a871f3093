// Which words of an enum can be values of an enum of GraphQL, whose values are names.
/** What a name of GraphQL is; those that begin with `__` are its own. */
export const GRAPHQL_NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;
/** Names that are no values of an enum. */
export const LITERAL_NAMES: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** The first word that is no name; undefined if all are. */
export const oddWord = (words: readonly string[]): string | undefined =>
  words.find((word) => !GRAPHQL_NAME.test(word) || LITERAL_NAMES.has(word));

export const areEnumNames = (words: readonly string[]): boolean =>
  words.length > 0 && oddWord(words) === undefined;
