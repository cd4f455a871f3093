// W3C trace context as it is passed on: what is none, or names no trace, is dropped, and whoever comes next begins its own.

/** Version, trace, span, flags; `ff` is no version, and nothing but zeros names nothing. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The header's text where it says which trace a request belongs to. */
export const traceparentIn = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
