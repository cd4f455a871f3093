// Whether a value is one of a closed list's words, for the compiler too.

export const isOneOf = <Word>(words: readonly Word[], value: unknown): value is Word =>
  (words as readonly unknown[]).includes(value); // includes() only takes what the list may hold
