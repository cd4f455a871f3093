import { expect, test } from 'vitest';
import { canonicalJson, isSameJson } from './canonical-json.ts';

const own = (text: string): unknown => JSON.parse(text);
const values = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '1.0',
  '1e0',
  '"1"',
  '""',
  '"ü"',
  '"u\\u0308"',
  '[]',
  '{}',
  '[null]',
  '[1,2]',
  '[2,1]',
  '[[1],2]',
  '{"a":1}',
  '{"a":null}',
  '{"b":1}',
  '{"a":1,"b":[1,{"c":{}}]}',
  '{"b":[1,{"c":{}}],"a":1}',
  '{"b":[1,{"c":[]}],"a":1}',
  '{"__proto__":1}',
  '{"__proto__":null}',
  '{"toString":1}',
  '{"0":1}',
  '{"length":0}',
].map(own);

test('two values are the same where their canonical texts are', () => {
  for (const a of values)
    for (const b of values)
      expect(isSameJson(a, b), `${JSON.stringify(a)} ${JSON.stringify(b)}`).toBe(
        canonicalJson(a) === canonicalJson(b),
      );
});
