// Only the platform determines a file's entity: neither a request nor an entity's data can.
import { expect, test } from 'vitest';
import { bindInputs, isSource } from '../planning/bind-inputs.ts';

const claimed = {
  class: 'File',
  location: 'file:///kept/1',
  entity: { id: 'victim', entityType: 'Secret' },
  beside: ['^.bai'],
};
const inputs = [{ name: 'note', type: { kind: 'Any' }, optional: false }] as const;
const entity = (data: Readonly<Record<string, unknown>>) => ({
  id: 'mine',
  entityType: 'Thing',
  data,
  version: 1,
  isAvailable: true,
});
const bound = (
  parameters: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>> = {},
): unknown => bindInputs(inputs, { parameters, texts: new Map(), required: [entity(data)] }).inputs['note'];

test("a file in a request or in an entity's data is its class and its place, at any depth", () => {
  const plain = { class: 'File', location: 'file:///kept/1' };
  expect(bound({ note: { deep: [claimed] } })).toEqual({ deep: [plain] });
  expect(bound({}, { note: claimed })).toEqual(plain);
  expect(
    bindInputs([{ ...inputs[0], name: 'thing' }], {
      parameters: {},
      texts: new Map(),
      required: [entity({ held: [claimed] })],
    }).inputs['thing'],
  ).toEqual({ id: 'mine', held: [plain] });
});

test('a value that only resembles a File object is not treated as a file, at any depth', () => {
  for (const kind of [['File'], ['Directory'], { toString: 'File' }, 'file', null])
    expect(isSource({ ...claimed, class: kind })).toBe(false);
  expect(isSource([claimed])).toBe(false);
});
