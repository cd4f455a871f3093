import { expect, test } from 'vitest';
import { joinedOutputs, listedFiles } from './wes-outputs.ts';

const FOLDER = '/srv/runs/ab/outputs';
const file = (name: string) => ({
  class: 'File',
  location: `file://${FOLDER}/${encodeURI(name).replace('#', '%23')}`,
  path: `${FOLDER}/${name}`,
  size: 1,
});
const listed = (...names: string[]) => names.map((name) => ({ name, url: `at:${name}` }));

test('each file of the output object gets its address, also in directories and beside others', () => {
  const told = {
    one: { ...file('a b#c.txt'), secondaryFiles: [file('a b#c.txt.bai')] },
    all: [{ class: 'Directory', basename: 'd', listing: [file('d/x'), file('d/outputs/x')] }],
    count: 3,
  };
  const joined = joinedOutputs(
    listed('a b#c.txt', 'a b#c.txt.bai', 'd/x', 'd/outputs/x'),
    JSON.stringify(told),
  );
  expect(joined).toEqual({
    one: {
      class: 'File',
      size: 1,
      location: 'at:a b#c.txt',
      secondaryFiles: [{ class: 'File', size: 1, location: 'at:a b#c.txt.bai' }],
    },
    all: [
      {
        class: 'Directory',
        basename: 'd',
        listing: [
          { class: 'File', size: 1, location: 'at:d/x' },
          { class: 'File', size: 1, location: 'at:d/outputs/x' },
        ],
      },
    ],
    count: 3,
  });
});

test('names that also end other paths are told apart by the folder that fits all', () => {
  const told = { a: file('x'), b: file('outputs/x') };
  expect(joinedOutputs(listed('x', 'outputs/x'), JSON.stringify(told))).toMatchObject({
    a: { location: 'at:x' },
    b: { location: 'at:outputs/x' },
  });
});

test('files that no list has, and a list without an output object, are faults', () => {
  expect(() => joinedOutputs(listed('y'), JSON.stringify({ a: file('x') }))).toThrow('not among those');
  expect(() => joinedOutputs(listed('x'), 'Final process status is success')).toThrow('not in the stdout');
  expect(joinedOutputs([], '{"sample": "s"}')).toEqual({ sample: 's' });
});

test('what is a list of files', () => {
  expect(listedFiles([])).toEqual([]);
  expect(listedFiles([{ file_name: 'x', file_url: 'u' }])).toEqual([{ name: 'x', url: 'u' }]);
  for (const other of [null, {}, [{ name: 'x', value: 1 }], [{ file_name: 'x', file_url: 'u' }, 1]])
    expect(listedFiles(other)).toBeNull();
});
