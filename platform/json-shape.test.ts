// docs/reference/api-conventions.md#number-of-values: what JSON text has is counted before it is parsed.
import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { parseJsonBody } from './json-in-turns.ts';
import { parseJson } from './json.ts';
import { ShapeScan } from './json-shape.ts';

const SMALL = { jsonValues: 10, jsonNames: 3 };
const LARGE = Number.MAX_SAFE_INTEGER;

/** What the scan counts, told by the refusal of all but nothing. */
function counted(text: string, limits: { jsonValues?: number; jsonNames?: number }, step = LARGE): unknown {
  const scan = new ShapeScan(text, { jsonValues: LARGE, jsonNames: LARGE, ...limits });
  while (scan.step(step));
  return scan.fault?.details['asked'] ?? 0;
}

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + valuesIn(one), 1)
    : 1;
const namesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Math.max(0, Array.isArray(value) ? 0 : Object.keys(value).length, ...Object.values(value).map(namesIn))
    : 0;

property.prop([fc.jsonValue(), fc.constantFrom(0, 1, 3), fc.integer({ min: 1, max: 7 })])(
  'values and names are those that are parsed, whatever the white space, and however it is cut',
  (value, indent, step) => {
    const text = JSON.stringify(value, null, indent);
    const parsed: unknown = JSON.parse(text);
    expect(counted(text, { jsonValues: 0 }, step)).toBe(valuesIn(parsed));
    expect(counted(text, { jsonNames: 0 }, step)).toBe(namesIn(parsed));
  },
);

test.each([
  ['[1,2,3,4,5,6,7,8,9]', undefined],
  ['[1,2,3,4,5,6,7,8,9,0]', { limit: 'json_values', asked: 11, allowed: 10 }],
  ['[[],{},[],{},[],{},[],{},"]["]', undefined],
  ['{"a":{"b":[],"c":1,"d":2},"e":3,"f":[4]}', undefined],
  ['{"a":1,"b":{"c":1,"d":2,"e":3,"f":4}}', { limit: 'json_names', asked: 4, allowed: 3 }],
  [`{"a":"${'{'.repeat(30)}${'\\"['.repeat(30)}"}`, undefined],
])('%s', (text, details) => {
  const refusal = (): unknown => {
    try {
      return parseJson(text, 'the body', { limits: SMALL });
    } catch (error) {
      return error;
    }
  };
  expect(refusal()).toEqual(
    details === undefined ? JSON.parse(text) : expect.objectContaining({ code: 'invalid_request', details }),
  );
});

test.each([
  ['of containers', `[${'{},'.repeat(1_000_000)}{}]`, { limit: 'json_values', asked: 1_000_002 }],
  [
    'of names in one object',
    `[{${Array.from({ length: 50_001 }, (_, i) => `"k${i}":0`).join()}}]`,
    { limit: 'json_names', asked: 50_001 },
  ],
])('a body %s beyond the defaults is refused', async (_, text, details) => {
  await expect(parseJsonBody(Buffer.from(text))).rejects.toMatchObject({
    code: 'invalid_request',
    details,
  });
});
