// Parses the kinship columns of the sample sheet: family roles, lists of ids with remarks, and parents.
import { column, type Row } from './read-tsv.ts';

/**
 * The role for each spelling in the sheet, in lower case. Two spellings are read as their only possible
 * meaning: a father's father, and a father's brother.
 */
const ROLES: Readonly<Record<string, string>> = {
  father: 'father',
  mother: 'mother',
  child: 'child',
  child2: 'child',
  daughter: 'child',
  'pat grandfather': 'paternal_grandfather',
  'paternal father': 'paternal_grandfather',
  'pat grandmother': 'paternal_grandmother',
  'paternal grandmother': 'paternal_grandmother',
  'mat grandfather': 'maternal_grandfather',
  'mat grandmother': 'maternal_grandmother',
  'maternal grandmother': 'maternal_grandmother',
  'paternal brother': 'paternal_uncle',
  'husband of child': 'spouse_of_child',
  'wife of child': 'spouse_of_child',
  unrel: 'unrelated',
  unrels: 'unrelated',
  'not father': 'not_father',
};

/**
 * Four samples are children `of 19752&3` and the like, i.e. of members of their own family, which have their
 * own roles.
 */
const CHILD_OF = /^child of [\d&]+$/;

/** Returns the family roles in `Relationship`: none for 910 samples, two for some. */
export function familyRoles(row: Row): string[] {
  const text = column(row, 'Relationship');
  if (text === '') return [];
  return text.split(';').map((part) => {
    const spelling = part.trim().toLowerCase();
    const role = CHILD_OF.test(spelling) ? 'child' : ROLES[spelling];
    if (role === undefined) throw new Error(`unknown relationship of ${column(row, 'Sample')}: ${part}`);
    return role;
  });
}

const SAMPLE_WITH_REMARK = /^([A-Z]{2}\d{5})\s*(\(.*\))?$/;

export interface Kin {
  /** Samples of the sheet, each once. */
  readonly accessions: readonly string[];
  /** Whether the column contains more than these: a remark, or a sample that is not in the sheet. */
  readonly hasMore: boolean;
}

/**
 * Parses a kinship column: comma-separated ids, some followed by a remark in brackets, sometimes a remark
 * alone.
 */
export function kinIn(text: string, isKnown: (accession: string) => boolean): Kin {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const matches = parts.map((part) => SAMPLE_WITH_REMARK.exec(part));
  const known = matches
    .map((match) => match?.[1])
    .filter((accession) => accession !== undefined)
    .filter(isKnown);
  const isPlain = matches.every(
    (match) => match?.[1] !== undefined && match[2] === undefined && isKnown(match[1]),
  );
  return { accessions: [...new Set(known)], hasMore: !isPlain };
}

export interface Parents {
  readonly father: string | undefined;
  readonly mother: string | undefined;
}

/**
 * Finds the parents of a member by the roles in the family: a father's are the paternal grandparents, a
 * mother's the maternal ones, a child's the father and mother who are not grandparents themselves. Where two
 * members match, neither is used.
 */
export function parentsOf(member: Row, family: readonly Row[]): Parents {
  const own = familyRoles(member);
  const withRole = (role: string, isParent: boolean): string | undefined => {
    const found = family.filter((row) => {
      const roles = familyRoles(row);
      return roles.includes(role) && (!isParent || !roles.some((r) => r.includes('grand')));
    });
    return found.length === 1 && found[0] && found[0] !== member ? column(found[0], 'Sample') : undefined;
  };
  if (own.some((role) => role.includes('grand'))) return { father: undefined, mother: undefined };
  if (own.includes('father'))
    return {
      father: withRole('paternal_grandfather', false),
      mother: withRole('paternal_grandmother', false),
    };
  if (own.includes('mother'))
    return {
      father: withRole('maternal_grandfather', false),
      mother: withRole('maternal_grandmother', false),
    };
  if (own.includes('child')) return { father: withRole('father', true), mother: withRole('mother', true) };
  return { father: undefined, mother: undefined };
}
