// Writes entities as JSON text in exactly the fields and order of a selection: what the fast way of a read answers.
import type { TextSelection } from '../../../platform/text-fields.ts';
import { type EntityRow, isoTime } from './entity-record.ts';

const FIELDS: Readonly<Record<string, (row: EntityRow) => string>> = {
  id: (row) => JSON.stringify(row.id),
  entityType: (row) => JSON.stringify(row.entity_type),
  data: (row) => row.data,
  version: (row) => row.version,
  createdAt: (row) => `"${isoTime(row.created_at)}"`,
  updatedAt: (row) => `"${isoTime(row.updated_at)}"`,
  isAvailable: (row) => (row.is_available === 't' ? 'true' : 'false'),
  project: (row) => (row.project === null ? 'null' : JSON.stringify(row.project)),
  __typename: () => '"Entity"',
};

/** A writer of rows for the selection, or null where it asks for more than an entity's own columns and the `more` of a row that has more. */
export function entityWriter<Row extends EntityRow = EntityRow>(selection: readonly TextSelection[], more: Readonly<Record<string, (row: Row) => string>> = {}): ((row: Row) => string) | null {
  const parts: { prefix: string; write: (row: Row) => string }[] = [];
  for (const { key, name, hasArguments } of selection) {
    const fields = Object.hasOwn(more, name) ? more : FIELDS;
    const write = Object.hasOwn(fields, name) && !hasArguments ? fields[name] : undefined;
    if (!write) return null;
    parts.push({ prefix: `${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`, write });
  }
  return (row) => {
    let text = '';
    for (const part of parts) text += part.prefix + part.write(row);
    return `${text}}`;
  };
}
