// The intervals in which a chart puts numbers and times together (docs/reference/metadata.md#intervals).
import { isNumeric } from '../../parts/field-kind.ts';

const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
const WIDTHS = ['1', '5', '10', '50', '100', '1000'] as const;

/** What can be chosen for a field of the type; nothing where values are only taken as they are. */
export function intervalsOf(type: string): readonly string[] {
  if (isNumeric({ type })) return WIDTHS;
  return type === 'date' || type === 'datetime' ? PERIODS : [];
}

/** The name by which a field is grouped. */
export const groupedBy = (field: string, interval: string | undefined): string =>
  interval === undefined ? field : `${field}:${interval}`;
