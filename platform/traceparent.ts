// Checks a W3C trace context before it is passed on. An invalid one is dropped, and the receiver starts a new
// trace.

/** Version, trace, span, flags; `ff` is not a valid version, and ids of zeros only are invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Returns the header's text where it is a valid trace context. */
export const traceparentIn = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
