import { expect, test } from 'vitest';
import { familyRoles, kinIn, parentsOf } from './kinship.ts';
import type { Row } from './read-tsv.ts';

const row = (accession: string, relationship: string): Row => ({
  Sample: accession,
  Relationship: relationship,
});
const everybody = (): boolean => true;

test('a sample without a relationship has no role', () => {
  expect(familyRoles(row('HG00096', ''))).toEqual([]);
});

test.each([
  ['child', ['child']],
  ['Child2', ['child']],
  ['daughter', ['child']],
  ['child of 19752&3', ['child']],
  ['pat grandmother', ['paternal_grandmother']],
  ['paternal grandmother', ['paternal_grandmother']],
  ['father; child', ['father', 'child']],
])('the relationship %s is read as %j', (text, roles) => {
  expect(familyRoles(row('HG00096', text))).toEqual(roles);
});

test('an unknown relationship is an error that names the sample', () => {
  expect(() => familyRoles(row('HG00096', 'neighbour'))).toThrow(
    'unknown relationship of HG00096: neighbour',
  );
});

test.each([
  ['', [], false],
  ['HG00512, HG00524', ['HG00512', 'HG00524'], false],
  ['HG01442(niece/nephew)', ['HG01442'], true],
  ['NA07022, NA07056, first cous once removed', ['NA07022', 'NA07056'], true],
  ['HG02298, 2nd order to HG02300', ['HG02298'], true], // HG02300 is not a sibling
])('the kinship column %j names %j', (text, accessions, hasMore) => {
  expect(kinIn(text, everybody)).toEqual({ accessions, hasMore });
});

test('a sample that the sheet does not have is left to the note', () => {
  expect(kinIn('NA19022, NA19045', (accession) => accession !== 'NA19045')).toEqual({
    accessions: ['NA19022'],
    hasMore: true,
  });
});

const platinum = [
  row('NA12877', 'father; child'),
  row('NA12878', 'mother; child'),
  row('NA12889', 'pat grandfather; father'),
  row('NA12890', 'pat grandmother; mother'),
  row('NA12891', 'mat grandfather; father'),
  row('NA12892', 'mat grandmother; mother'),
  row('NA12879', 'daughter'),
];
const parents = (accession: string): unknown => {
  const member = platinum.find((one) => one['Sample'] === accession);
  if (!member) throw new Error('no such member');
  return parentsOf(member, platinum);
};

test('in three generations a father comes from the paternal grandparents, a mother from the maternal ones, a child from both', () => {
  expect(parents('NA12877')).toEqual({ father: 'NA12889', mother: 'NA12890' });
  expect(parents('NA12878')).toEqual({ father: 'NA12891', mother: 'NA12892' });
  expect(parents('NA12879')).toEqual({ father: 'NA12877', mother: 'NA12878' });
  expect(parents('NA12889')).toEqual({ father: undefined, mother: undefined });
});

test('where two could be the father, none is', () => {
  const child = row('A', 'child');
  expect(parentsOf(child, [child, row('B', 'father'), row('C', 'father'), row('D', 'mother')])).toEqual({
    father: undefined,
    mother: 'D',
  });
});
