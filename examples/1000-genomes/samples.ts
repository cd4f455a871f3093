// Converts the sample sheet to Sample entities: one per row, with relatives as references to other samples.
import type { Entity } from './entity.ts';
import { familyRoles, kinIn, parentsOf } from './kinship.ts';
import { populationId } from './populations.ts';
import { column, type Row } from './read-tsv.ts';

const sampleId = (accession: string): string => `sample:${accession}`;

/** The entity field for each kinship column of the sheet. */
const KIN_COLUMNS: Readonly<Record<string, string>> = {
  siblings: 'Siblings',
  half_siblings: 'Half Siblings',
  grandparents: 'Grandparents',
  aunts_uncles_nieces_nephews: 'Avuncular',
  second_order_relatives: 'Unknown Second Order',
  third_order_relatives: 'Third Order',
  unexpected_parents_children: 'Unexpected Parent/Child',
  denied_parents_children: 'Non Paternity',
};

/** Returns all samples in the order of the sheet. Empty fields are omitted. */
export function samplesOf(sheet: readonly Row[]): Entity[] {
  const accessions = new Set(sheet.map((row) => column(row, 'Sample')));
  const families = new Map<string, Row[]>();
  for (const row of sheet) {
    const id = column(row, 'Family ID');
    const family = families.get(id);
    if (family) family.push(row);
    else families.set(id, [row]);
  }
  return sheet.map((row) =>
    sampleOf(row, families.get(column(row, 'Family ID')) ?? [row], (accession) => accessions.has(accession)),
  );
}

function sampleOf(row: Row, family: readonly Row[], isKnown: (accession: string) => boolean): Entity {
  const accession = column(row, 'Sample');
  const kin: Record<string, string[]> = {};
  const notes: string[] = [];
  for (const [field, name] of Object.entries(KIN_COLUMNS)) {
    const text = column(row, name);
    const { accessions, hasMore } = kinIn(text, isKnown);
    if (accessions.length > 0) kin[field] = accessions.map(sampleId);
    if (hasMore) notes.push(`${name}: ${text}`);
  }
  const denied = kin['denied_parents_children'] ?? [];
  const { father, mother } = parentsOf(row, family);
  const roles = familyRoles(row);
  return {
    type: 'Sample',
    id: sampleId(accession),
    data: {
      accession,
      population: populationId(column(row, 'Population')),
      sex: column(row, 'Gender'),
      family: column(row, 'Family ID'),
      ...(roles.length > 0 && { family_roles: roles, relationship: column(row, 'Relationship') }),
      ...(father !== undefined && !denied.includes(sampleId(father)) && { father: sampleId(father) }),
      ...(mother !== undefined && !denied.includes(sampleId(mother)) && { mother: sampleId(mother) }),
      ...kin,
      ...(notes.length > 0 && { kinship_notes: notes }),
    },
  };
}
