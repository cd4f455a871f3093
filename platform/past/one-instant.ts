// How a request asks for one instant for all that it reads, and for the basis of its answer
// (docs/reference/api-conventions.md#one-instant-for-an-operation).

/** An instant, or `now`. */
export const AS_OF_HEADER = 'x-as-of';
/** Its name in `details` of errors. */
export const AS_OF_FIELD = 'X-As-Of';
export const NOW = 'now';

/** `Prefer: basis` (RFC 7240). */
const BASIS = /(?:^|,)\s*basis\s*(?:[;,]|$)/i;
export const prefersBasis = (prefer: string | readonly string[]): boolean => BASIS.test(String(prefer));
