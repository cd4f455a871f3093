// Rows of a body, however it is cut into chunks.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { elementsOf, linesOf, MAX_ROW_BYTES, type RowText } from './json-rows.ts';

async function* chunksOf(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const hold = (): void => undefined;

async function collected(rows: AsyncIterable<RowText>): Promise<(readonly [string, number])[]> {
  const found: (readonly [string, number])[] = [];
  for await (const { text, line } of rows) found.push([text.toString(), line]);
  return found;
}

describe.each([1, 3, 1000])('chunks of %i bytes', (size) => {
  test('lines are returned with their numbers, and blank lines are skipped', async () => {
    expect(await collected(linesOf(chunksOf('{"a":1}\r\n\n  \n{"ä":"\\n"}', size), hold))).toEqual([
      ['{"a":1}\r', 1],
      ['{"ä":"\\n"}', 4],
    ]);
    expect(await collected(linesOf(chunksOf('', size), hold))).toEqual([]);
  });

  test('elements are returned with the lines on which they begin, whatever their strings contain', async () => {
    const text = ' [{"a":"],[\\"}"},\n\n[1,[2]]\n, 3 ]\n';
    const found = await collected(elementsOf(chunksOf(text, size), hold));
    expect(found.map(([element]) => JSON.parse(element) as unknown)).toEqual([{ a: '],["}' }, [1, [2]], 3]);
    expect(found.map(([, line]) => line)).toEqual([1, 3, 4]);
    expect(await collected(elementsOf(chunksOf('[ ]', size), hold))).toEqual([]);
  });

  test.each([
    ['', 'a body is required'],
    ['{"a":1}', 'must be a JSON array'],
    ['[1,2', 'not closed'],
    ['[1] 2', 'after the end'],
  ])('%j is refused', async (text, message) => {
    await expect(collected(elementsOf(chunksOf(text, size), hold))).rejects.toThrow(message);
  });

  test('an empty element is a row, which is no JSON', async () => {
    expect(await collected(elementsOf(chunksOf('[1,,2,]', size), hold))).toEqual([
      ['1', 1],
      ['', 1],
      ['2', 1],
      ['', 1],
    ]);
  });
});

test('a row that is too long is refused, before it is held', async () => {
  const text = Buffer.alloc(MAX_ROW_BYTES + 1, 0x61);
  for (const rows of [
    linesOf(chunksOf(text, 65_536), hold),
    elementsOf(chunksOf(`["${text.toString()}"]`, 65_536), hold),
  ])
    await expect(collected(rows)).rejects.toMatchObject({ code: 'payload_too_large' });
});

property.prop([fc.array(fc.jsonValue(), { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), fc.boolean()])(
  'any values come out as they went in',
  async (values, size, isPretty) => {
    const array = JSON.stringify(values, null, isPretty ? 2 : 0);
    const elements = await collected(elementsOf(chunksOf(array, size), hold));
    expect(elements.map(([text]) => JSON.parse(text) as unknown)).toEqual(JSON.parse(array));
    const lines = values.map((value) => JSON.stringify(value)).join('\n');
    const rows = await collected(linesOf(chunksOf(lines, size), hold));
    expect(rows.map(([text]) => JSON.parse(text) as unknown)).toEqual(JSON.parse(array));
  },
);
