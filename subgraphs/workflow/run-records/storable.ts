// Texts of errors and logs as they are stored.

const MAX_TEXT = 2000;

/** Text that can be stored: no U+0000, no lone surrogate, and not too long. */
export const storable = (text: string): string =>
  text.replaceAll('\u0000', '\uFFFD').toWellFormed().slice(0, MAX_TEXT).toWellFormed();
