// What a chart may measure of the entities of a group, as its address says it.
import { isNumeric } from '../../parts/field-kind.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';

export const MEASURES = { avg: 'average', sum: 'sum', min: 'least', max: 'greatest' } as const;
type Measure = keyof typeof MEASURES;
// keys of a constant are its own
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

/** What the bars show: undefined for how many there are, else a measure of a field. */
export interface Shows {
  readonly measure: Measure;
  readonly field: string;
}

export function readShows(text: string | null, type: TypeInfo): Shows | undefined {
  const [measure, ...rest] = (text ?? '').split('.');
  const field = rest.join('.');
  const known = MEASURE_NAMES.find((name) => name === measure);
  return known !== undefined && type.allFields.some((one) => one.name === field && isNumeric(one))
    ? { measure: known, field }
    : undefined;
}
