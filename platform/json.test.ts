import { expect, test } from 'vitest';
import { DomainError } from './errors.ts';
import { parseJson } from './json.ts';
import { MAX_JSON_DEPTH } from './json-shape.ts';

function refusal(input: Buffer | string): DomainError {
  try {
    parseJson(input);
  } catch (thrown) {
    if (thrown instanceof DomainError) return thrown;
    throw thrown;
  }
  throw new Error(`accepted: ${String(input).slice(0, 80)}`);
}

test.each(['', '{', '{"a":1,}', "{'a':1}", 'NaN', '[1]]', '\ufeff{}'])(
  'malformed JSON is 400: %j',
  (text) => {
    expect(refusal(Buffer.from(text)).code).toBe('invalid_request');
  },
);

test('a body that is not UTF-8 is 400', () => {
  expect(refusal(Buffer.from([0x22, 0xc3, 0x28, 0x22])).code).toBe('invalid_request');
  expect(refusal(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])).code).toBe('invalid_request');
});

test('nesting is bounded, whatever holds it', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  const mixed = (depth: number): string => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
  for (const make of [nested, objects, mixed]) {
    expect(() => parseJson(make(MAX_JSON_DEPTH))).not.toThrow();
    expect(refusal(make(MAX_JSON_DEPTH + 2)).code).toBe('invalid_request');
    expect(refusal(make(1_000_000)).code).toBe('invalid_request');
  }
  expect(parseJson(JSON.stringify({ a: '[\\"{'.repeat(1000) }))).toEqual({ a: '[\\"{'.repeat(1000) });
  expect(parseJson(JSON.stringify(Array.from({ length: 5000 }, () => ({ a: [1] }))))).toHaveLength(5000);
});

test.each([
  ['{"data":{"name":"a\\u0000b"}}', '$.data.name'],
  ['{"a":[1,{"b":"\\ud800"}]}', '$.a[1].b'],
  ['{"a":["x","\\udc00\\ud800"]}', '$.a[1]'],
  ['{"a\\u0000":1}', '$["a\\u0000"]'],
  ['{"n":9007199254740993}', '$.n'],
  ['{"n":9007199254740993.0}', '$.n'],
  ['[0, -9007199254740993]', '$[1]'],
  ['{"n":12345678901234567890.0}', '$.n'],
  ['{"x":1,"n":{"m":1e400}}', '$.n.m'],
  ['[-1E+400]', '$[0]'],
  [`[1${'0'.repeat(400)}]`, '$[0]'],
  ['{"a":{"b":1},"c":[],"d":{},"e f":[[1,[2,"\\uDFFF"]]]}', '$["e f"][0][1][1]'],
])('a value that cannot be kept exactly is 422 and named: %s', (text, path) => {
  const error = refusal(Buffer.from(text));
  expect(error.code).toBe('validation_failed');
  expect(error.details).toEqual({ path });
  expect(error.message.startsWith(`${path}: `)).toBe(true);
});

test.each([
  '9007199254740991',
  '-9007199254740991',
  '9007199254740992',
  '-9007199254740994.0',
  '100000000000000000000',
  `1${'0'.repeat(300)}`,
  BigInt(1e300).toString(),
  `-${BigInt(Number.MAX_VALUE)}`,
  '6.02e23',
  '1e16',
  '1e-400',
  '0.12345678901234567890',
  '"\\ud83d\\ude00"',
  '"\\\\u0000"',
  '"1e400 12345678901234567890"',
  '{"uuid":"3e400000-1111-4111-8111-111111111111","9007199254740993":"\\\\ud800"}',
])('a value that only looks suspicious is read: %s', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('text with a raw lone surrogate is refused', () => {
  expect(refusal('{"a":"\ud800"}').details).toEqual({ path: '$.a' });
});

test('keys of the prototype are data and change no object', () => {
  const value = parseJson(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":{"__proto__":1}}',
  );
  expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'a']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect((value as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('the last of duplicate keys is used', () => {
  expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
});

test.each(['"', '\n', 'µ', '/'])(
  'an escaped name is read as it is after others in its place (%j)',
  (name) => {
    const escaped = name === 'µ' ? '\\u00b5' : name === '/' ? '\\/' : JSON.stringify(name).slice(1, -1);
    parseJson(String.raw`{"h":[],"\\":0}`);
    expect(Object.keys(parseJson(`{"h":1,"${escaped}":2}`) as object)).toEqual(['h', name]);
  },
);
