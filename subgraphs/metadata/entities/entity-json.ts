// SQL that serialises an entity as JSON text with exactly the fields and order of a selection
// (docs/architecture.md#the-way-of-a-request).
import type { TextSelection } from '../../../platform/text-fields.ts';
import type { TimeColumns } from './time-columns.ts';

const timeText = (time: string): string =>
  `to_char(${time} AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\\""')`;

/** SQL over `e` (entity) and its timestamps, never NULL. */
const FIELDS: Readonly<Record<string, string | ((times: TimeColumns) => string)>> = {
  id: 'to_json(e.id)::text',
  entityType: 'to_json(e.entity_type)::text',
  data: 'e.data::text',
  version: 'e.version::text',
  createdAt: ({ created }) => timeText(created),
  updatedAt: ({ updated }) => timeText(updated),
  isAvailable: 'e.is_available::text',
  project: `coalesce(to_json(e.project)::text, 'null')`,
  __typename: `'"Entity"'`,
};

export interface EntityJson {
  sql(times: TimeColumns): string;
  /** How many times the text contains the entity's data. */
  readonly dataCopies: number;
}

/** The JSON of a selection, or null if it has more than an entity's own columns. */
export function entityJson(selection: readonly TextSelection[]): EntityJson | null {
  const isOwn = ({ name, hasArguments }: TextSelection): boolean =>
    Object.hasOwn(FIELDS, name) && !hasArguments;
  if (selection.length === 0 || !selection.every(isOwn)) return null;
  return {
    dataCopies: selection.filter(({ name }) => name === 'data').length,
    sql(times) {
      const members = selection.map(({ key, name }, i) => {
        const field = FIELDS[name] ?? '';
        const value = typeof field === 'string' ? field : field(times);
        return `'${i === 0 ? '{' : ','}"${key}":' || ${value}`; // GraphQL names need no quoting
      });
      return `${members.join(' || ')} || '}'`;
    },
  };
}
