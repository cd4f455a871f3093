// Large bodies are parsed as small ones are, and others run meanwhile.
import { expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { parseJsonBody } from './json-in-turns.ts';
import { NO_JSON_LIMITS } from './json-shape.ts';

const many = (text: string, bytes = 600_000): string =>
  text.repeat(Math.ceil(bytes / text.length)).slice(0, -1);
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const list = `[${many('{"a":[1,"b"]},')}]`;

async function outcome(parse: () => unknown): Promise<unknown> {
  try {
    return { value: await parse() };
  } catch (error) {
    return error;
  }
}

test.each<[string, string | Buffer]>([
  ['a list', list],
  ['many keys', `{${Array.from({ length: 60_000 }, (_, i) => `"k${i % 50_000}":${i}`).join()}}`],
  ['nesting as deep as may be', `[${many(`${deep(199)},`)}]`],
  ['nesting that is too deep', `[${many(`${deep(199)},`)},${deep(200)}]`],
  ['nesting that is too deep, after a fault', `[${many('1,')},,${deep(201)}]`],
  ['one string', `"${many('abc ')}"`],
  ['a fault at the end', `${list.slice(0, -1)},]`],
  ['a fault in the middle', `{"a":${list},"b" 1,"c":${list}}`],
  ['no end', list.slice(0, -1)],
  ['more behind the end', `${list} x`],
  ['a number that cannot be kept', `{"a":${list},"b":[0,9007199254740993]}`],
  ['a text that cannot be kept', `{"a":${list},"b":"\\u0000"}`],
  ['long digits, all of which can be kept', `[${many('9007199254740992,')}]`],
  ['bytes that are no text', Buffer.concat([Buffer.from(list), Buffer.from([0xc3, 0x28])])],
  ['text beyond ASCII', `[${many('"ü😀",')}]`],
  ['a body of some kibibytes', `[${many('1,', 9000)}]`],
  ['a body of some kibibytes with a fault', `[${many('1,', 9000)},]`],
])('%s', async (_, text) => {
  const body = Buffer.from(text as string); // or bytes
  expect(await outcome(() => parseJsonBody(body))).toEqual(await outcome(() => parseJson(body)));
});

test.each([
  ['small values', `[${many('{},', 3_000_000)}]`],
  ['brackets', `[${many(`${deep(190)},`, 3_000_000)}]`],
  ['short keys', `{${Array.from({ length: 250_000 }, (_, i) => `"k${i}":1`).join()}}`],
  ['long digits', `[${many('9007199254740992,', 3_000_000)}]`],
])('others run meanwhile, many times: %s', async (_, text) => {
  const body = Buffer.from(text);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await parseJsonBody(body, { limits: NO_JSON_LIMITS });
  isOver = true;
  expect(turns).toBeGreaterThan(10);
});

test('bodies that come at the same time take turns with each other', async () => {
  const body = Buffer.from(`[${many('{},', 100_000)}]`);
  let [turns, ended] = [0, 0];
  const inTurns: number[] = [];
  const all = Array.from({ length: 20 }, () =>
    parseJsonBody(body).then(() => {
      ended++;
    }),
  );
  const count = (): void => {
    turns++;
    inTurns.push(ended);
    if (ended < 20) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(all);
  expect(turns).toBeGreaterThan(5);
  expect(inTurns.filter((now, i) => now - (inTurns[i - 1] ?? 0) > 10)).toEqual([]);
});
