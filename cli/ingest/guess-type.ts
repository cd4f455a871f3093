// Finds the entity type whose fields a table has.
import { type Api, type Json, rows } from '../api.ts';
import { UsageFailure } from '../failure.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { namesList, nameFor, ownColumns } from '../../platform/tables/column-names.ts';

interface Candidate {
  readonly name: string;
  /** Columns that are fields of the type. */
  readonly matched: number;
  readonly hasRequired: boolean;
}

function candidate(
  name: string,
  fields: Fields,
  columns: readonly string[],
  mapped: readonly string[],
): Candidate {
  const names = [...fields.keys()];
  const found = new Set([...columns.map((column) => nameFor(column, names)), ...mapped]);
  found.delete(undefined);
  return {
    name,
    matched: [...found].filter((one) => one !== undefined && fields.has(one)).length,
    hasRequired: [...fields.values()].every((field) => !field.isRequired || found.has(field.name)),
  };
}

/**
 * The type that has the most of the columns, and all of whose required fields are among them.
 * @param mapped fields that `--map` gives
 * @throws UsageFailure where there is none, or more than one
 */
export async function guessType(
  api: Api,
  columns: readonly string[],
  mapped: readonly string[],
): Promise<string> {
  const schemas: readonly Json[] = rows(await api.call({ path: '/api/v1/metadata/schemas' }), 'data');
  const ignored = ownColumns(columns);
  const own = columns.filter((column) => !ignored.has(column));
  const candidates: Candidate[] = [];
  for (const { name } of schemas) {
    const fields = await fieldsOf(api, String(name));
    if (fields !== null) candidates.push(candidate(String(name), fields, own, mapped));
  }
  const fitting = candidates.filter(({ matched, hasRequired }) => matched > 0 && hasRequired);
  const most = Math.max(0, ...fitting.map(({ matched }) => matched));
  const best = fitting.filter(({ matched }) => matched === most);
  const [only, ...others] = best;
  if (only === undefined)
    throw new UsageFailure(
      `no type has all its required fields among the columns ${namesList(own)}: give --type`,
    );
  if (others.length > 0)
    throw new UsageFailure(`the columns fit ${best.map(({ name }) => name).join(', ')}: give --type`);
  return only.name;
}
