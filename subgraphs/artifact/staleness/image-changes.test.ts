// What of container images is compared, and what is not known (docs/reference/artifact.md#staleness).
import { expect, test } from 'vitest';
import { imageChange, imageNotKnown } from './image-changes.ts';

const hex = (digit: string): string => `sha256:${digit.repeat(64)}`;
const stored = (image: string, digest: string | null, id: string | null) => ({ image, digest, image_id: id });
const was = stored('tool:1', null, hex('a'));

test('an image is compared or said not to be known, never both', () => {
  for (const [before, now, isChanged, notKnown] of [
    [was, [was], false, null],
    [was, [stored('tool:1', null, hex('b'))], true, null],
    [was, [], false, 'image tool:1: no machine tells which content it has now'],
    [
      stored('tool:1', null, null),
      [was],
      false,
      'image tool:1: its content was not recorded, since the engine does not tell it',
    ],
    [stored(`tool@${hex('1')}`, hex('1'), null), [], false, null],
  ] as const) {
    expect(imageChange(before, now).length).toBe(isChanged ? 1 : 0);
    expect(imageNotKnown(before, now)).toBe(notKnown);
  }
});
