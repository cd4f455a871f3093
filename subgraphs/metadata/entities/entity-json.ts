// Has PostgreSQL write an entity as JSON text, in exactly the fields and order of a selection (design «Hot path» 3).
import type { TextSelection } from '../../../platform/text-fields.ts';

const time = (alias: string): string =>
  `to_char(${alias}.timestamp AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\\""')`;

/** SQL over `e` (entity), `c` and `u` (its first and last event), never NULL. */
const FIELDS: Readonly<Record<string, string>> = {
  id: 'to_json(e.id)::text',
  entityType: 'to_json(e.entity_type)::text',
  data: 'e.data::text',
  version: 'e.version::text',
  createdAt: time('c'),
  updatedAt: time('u'),
  isAvailable: 'e.is_available::text',
  project: `coalesce(to_json(e.project)::text, 'null')`,
  __typename: `'"Entity"'`,
};

/** The SQL, or null where the selection asks for more than an entity's own columns. */
export function entityJsonSql(selection: readonly TextSelection[]): string | null {
  const parts: string[] = [];
  for (const { key, name, hasArguments } of selection) {
    const sql = Object.hasOwn(FIELDS, name) && !hasArguments ? FIELDS[name] : undefined;
    if (sql === undefined) return null;
    parts.push(`'${parts.length === 0 ? '{' : ','}"${key}":'`, sql); // a GraphQL name needs no quoting
  }
  return parts.length === 0 ? null : `${parts.join(' || ')} || '}'`;
}
