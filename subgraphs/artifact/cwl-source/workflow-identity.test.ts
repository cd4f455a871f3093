// The identity of a workflow: all its documents and their references to each other, wherever they were
// fetched from.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, identifyWorkflow, referenceOf, resolvedFrom } from './workflow-identity.ts';

const main = { url: 'https://a.test/x/y/main.cwl', fragment: '' };
const documents: readonly (readonly [string, string])[] = [
  ['https://a.test/x/y/main.cwl', 'sha256:1'],
  ['https://a.test/x/tools/t.cwl', 'sha256:2'],
  ['https://b.test/z.cwl', 'sha256:3'],
];
const hashOf = (more: Partial<typeof main>, of = documents): string =>
  identifyWorkflow({ ...main, ...more }, of).hash;

test('documents are named as the main one sees them, and it comes first', () => {
  expect(identifyWorkflow(main, [...documents].reverse()).documents).toEqual([
    { reference: '', hash: 'sha256:1' },
    { reference: '../tools/t.cwl', hash: 'sha256:2' },
    { reference: 'https://b.test/z.cwl', hash: 'sha256:3' },
  ]);
});

test('the same documents at another place are the same workflow; another byte, name, place to each other or process is another', () => {
  const elsewhere = documents.map(([url, hash]): [string, string] => [
    url.replace('https://a.test/x', 'http://localhost:99/copies/of'),
    hash,
  ]);
  expect(hashOf({ url: 'http://localhost:99/copies/of/y/main.cwl' }, elsewhere)).toBe(hashOf({}));
  const changed = documents.map((_, i) =>
    documents.map(([url, hash], j): [string, string] => [url, i === j ? `${hash}0` : hash]),
  );
  const renamed = documents.map(([url, hash]): [string, string] => [url.replace('t.cwl', 'u.cwl'), hash]);
  const all = [
    hashOf({}),
    ...changed.map((of) => hashOf({}, of)),
    hashOf({}, renamed),
    hashOf({}, documents.slice(0, 2)),
    hashOf({ url: 'https://a.test/x/y/z/main.cwl' }),
    hashOf({ fragment: 'main' }),
    hashOf({ fragment: 'tool' }),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test(
  'a reference leads back to the address that it was made of, whatever the addresses hold',
  { timeout: 120_000 },
  () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'b', 'tools', '%2e', '..', '.', '', 'x:y', 'ü', 'http:'),
      fc.webSegment(),
    );
    const address = fc
      .tuple(
        fc.constantFrom('http://a.test', 'https://a.test', 'https://a.test:81'),
        fc.array(part, { maxLength: 4 }),
        fc.constantFrom('', '?q=1', '?q=a/b'),
      )
      .map(([origin, parts, query]) => new URL(`${origin}/${parts.join('/')}${query}`).href);
    fc.assert(
      fc.property(address, address, (from, to) => {
        expect(resolvedFrom(from, referenceOf(from, to))).toBe(to);
      }),
    );
  },
);

test('an address is its document and the process in it, in one spelling', () => {
  expect(addressOf({ cwl_url: 'HTTPS://A.test/x/../packed.cwl#main/one#two' })).toEqual({
    url: 'https://a.test/packed.cwl',
    fragment: 'main/one#two',
  });
  expect(addressOf({ cwl_content: 'YQ==' })).toEqual({
    url: 'https://inline.invalid/workflow.cwl',
    fragment: '',
  });
});
