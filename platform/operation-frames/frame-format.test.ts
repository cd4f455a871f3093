import { expect, test } from 'vitest';
import { BrokenFrames, FrameReader, frameOf, MAX_FRAME } from './frame-format.ts';

const frames = [
  frameOf(
    3,
    [
      [7, 4],
      [300, 2],
      [1, 1],
    ],
    ['ü', 'about'],
    '{"a":1}',
  ),
  frameOf(5, [], []),
  frameOf(16, [[1, 4]], [], Buffer.alloc(5000, 'x')),
  frameOf(4, [[2, 4]], []),
];
const whole = Buffer.concat(frames);
const expected = frames.map((frame) => [frame.readUInt8(4), frame.subarray(5).toString('hex')]);

test.each([1, 2, 3, 4, 5, 7, 64, 1000, 5003, whole.length])(
  'frames are the same however what comes is divided: %i bytes at a time',
  (size) => {
    const reader = new FrameReader();
    const seen: unknown[] = [];
    for (let at = 0; at < whole.length; at += size)
      reader.push(whole.subarray(at, at + size), (type, body) => seen.push([type, body.toString('hex')]));
    expect(seen).toEqual(expected);
  },
);

test.each([
  ['in one piece', 4],
  ['byte by byte', 1],
])('a length that is out of bounds is refused before anything of it is kept, %s', (_, size) => {
  for (const length of [0, MAX_FRAME + 1, 0xffff_ffff]) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(length);
    const reader = new FrameReader();
    expect(() => {
      for (let at = 0; at < 4; at += size) reader.push(bytes.subarray(at, at + size), () => undefined);
    }).toThrow(BrokenFrames);
  }
});
