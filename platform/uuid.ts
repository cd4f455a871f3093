// UUIDs in their text form (RFC 9562, section 4), of any version and in either case.
const FORM = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => FORM.test(text);
