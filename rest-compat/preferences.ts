// `Prefer` of a request (RFC 7240): wishes that an endpoint may grant, and which ones it has.

/** A wish that a row understands. */
export interface Preference {
  readonly name: string;
  readonly values: readonly string[];
  /** For OpenAPI, in the form of "what it decides". */
  readonly description: string;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** One preference with its value, after which parameters may follow; the value may be quoted. */
const PREFERENCE = new RegExp(`^\\s*(${TOKEN})\\s*=\\s*(?:"([^"\\\\]*)"|(${TOKEN}))\\s*(?:;|$)`);

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The wishes of the header that the row understands, by name. Others are ignored, as the standard says; of
 * several with one name the first counts.
 */
export function preferencesOf(
  header: string | undefined,
  known: readonly Preference[] = [],
): ReadonlyMap<string, string> {
  if (header === undefined || known.length === 0) return NONE;
  const found = new Map<string, string>();
  for (const part of header.split(',')) {
    const [, name = '', quoted, plain] = PREFERENCE.exec(part) ?? [];
    const value = quoted ?? plain ?? '';
    const preference = known.find((one) => one.name === name.toLowerCase());
    if (preference?.values.includes(value) === true && !found.has(preference.name))
      found.set(preference.name, value);
  }
  return found;
}

/** The value of `Preference-Applied`; null where no wish was granted. */
export const appliedHeader = (applied: ReadonlyMap<string, string>): string | null =>
  applied.size === 0 ? null : [...applied].map(([name, value]) => `${name}=${value}`).join(', ');
