// Converts IGSR's table to Population entities.
import type { Entity } from './entity.ts';
import { column, type Row } from './read-tsv.ts';

export const populationId = (code: string): string => `population:${code}`;

function numberIn(row: Row, name: string): number {
  const text = column(row, name);
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new Error(`${name} is not a number: ${text}`);
  return value;
}

/**
 * Collections are separated by commas without a space; a comma followed by a space is part of a collection's
 * name.
 */
const collectionsOf = (row: Row): string[] => column(row, 'Data collections').split(/,(?! )/);

export function populationOf(row: Row): Entity {
  const code = column(row, 'Population code');
  return {
    type: 'Population',
    id: populationId(code),
    data: {
      code,
      name: column(row, 'Population name'),
      description: column(row, 'Population description'),
      latitude: numberIn(row, 'Population latitude'),
      longitude: numberIn(row, 'Population longitude'),
      superpopulation: column(row, 'Superpopulation code'),
      superpopulation_name: column(row, 'Superpopulation name'),
      sample_count: numberIn(row, 'Number of samples'),
      display_colour: column(row, 'Superpopulation display colour'),
      display_order: numberIn(row, 'Superpopulation display order'),
      collections: collectionsOf(row),
    },
  };
}
