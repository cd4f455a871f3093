// What the tests of REST against GraphQL share.
import { GREET } from '../artifact/production-testkit.ts';
import { base64 } from '../artifact/registration-testkit.ts';

export const SECRET = 'the secret of a hook, long enough';

export const CLIENT_SECRET = 'the secret of a client, long enough';

export const rule = (n: number): unknown => ({
  name: `rule-${n}`,
  produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  execute: { cwl_content: base64(GREET) },
});

export const CREDENTIALS = [
  'administrator',
  'viewer',
  'viewer of alpha',
  'analyst',
  'analyst of alpha',
  'analyst of beta',
  'project lead of alpha',
  'service key',
  'service token of alpha',
  'revoked key',
  'malformed key',
  'nobody',
] as const;

const MADE_ID =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?:key|scan)_[\da-f]{24}|sk_[\w-]{49}/g;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Generated ids of a world are numbered in the order of their appearance; timestamps are masked. */
export function plain(value: unknown, names: Map<string, string>): unknown {
  if (typeof value === 'string') {
    if (TIME.test(value)) return '<time>';
    return value.replaceAll(MADE_ID, (id) => {
      if (!names.has(id)) names.set(id, `<${names.size + 1}>`);
      return names.get(id) ?? id;
    });
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [
        key,
        /cursor$/i.test(key) && typeof item === 'string' ? '<cursor>' : plain(item, names),
      ]),
  );
}
