// `?field=value` of a listing: compares the text form of a stored value exactly, and instants by value,
// through containment that uses the index (docs/reference/metadata.md#field-parameters).
import { invalid } from '../../../platform/errors.ts';
import { type ColumnType, parameterColumn } from '../../../platform/entity-columns.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import { instantSql } from '../../../platform/queryable.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import { FILTER_COLUMNS } from './columns.ts';
import type { FilterColumns } from './columns.ts';
import { isWellFormed, nested } from '../reading/constants.ts';
import { Parameters, type SqlUse, using } from '../reading/parameters.ts';

type FilterField = Pick<FieldDefinition, 'type' | 'many'>;

/** One parameter with all its values, any of which may match. */
export interface FieldParameter {
  readonly name: string;
  readonly values: readonly string[];
}

export interface CompiledFieldFilter {
  /** SQL for a WHERE; its values are appended to `params`. */
  where(params: unknown[]): string;
  readonly uses: ReadonlySet<SqlUse>;
  /** Whether the parameter is present: `is_available` changes what a listing shows. */
  mentions(name: string): boolean;
}

/** Maximum values of one parameter in one request. */
const MAX_VALUES = 1000;

/** JSON text of a number if it is in JSON's canonical form (`30`, not `30.0` or `3e1`). */
function canonicalNumber(text: string): string | null {
  const number = Number(text);
  return Number.isFinite(number) && JSON.stringify(number) === text ? text : null;
}

/** Longer texts are not compared with objects and lists. */
const MAX_STRUCTURE_LENGTH = 4096;

/** JSON text of an object or list that can be stored; null for any other text. */
function structure(text: string): string | null {
  if (text.length > MAX_STRUCTURE_LENGTH || !/^\s*[[{]/.test(text)) return null;
  try {
    const json = JSON.stringify(JSON.parse(text));
    // escapes by JSON.stringify of characters that PostgreSQL refuses
    return /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json) ? null : json;
  } catch (fault) {
    if (fault instanceof SyntaxError) return null;
    throw fault;
  }
}

/** JSON texts of the scalars whose text form is `text`; without a type, of every kind. */
function scalars(text: string, type: FilterField['type'] | null): readonly string[] {
  const asString = JSON.stringify(text);
  const instant = type === null || type === 'datetime' ? canonicalInstant(text) : null;
  const asInstant = instant === null ? null : JSON.stringify(instant);
  const asWord = text === 'true' || text === 'false' ? [text] : [];
  const number = canonicalNumber(text);
  const asNumber = number === null ? [] : [number];
  switch (type) {
    case 'string':
    case 'date':
    case 'enum':
    case 'uri':
    case 'ref':
      return [asString];
    case 'datetime':
      // also the text itself, for values that could not be converted to instants
      return asInstant === null || asInstant === asString ? [asString] : [asInstant, asString];
    case 'int':
    case 'float':
      return asNumber;
    case 'bool':
      return asWord;
    case 'json':
      // JSON null has no text form: `null` is an ordinary word
      return [asString, ...asNumber, ...asWord];
    case null:
      return [
        asString,
        ...(asInstant === null || asInstant === asString ? [] : [asInstant]),
        ...asNumber,
        ...asWord,
      ];
    default:
      return type satisfies never;
  }
}

/** SQL terms, any of which is true if the field has the value. */
function terms(
  parameters: Parameters,
  columns: FilterColumns,
  name: string,
  text: string,
  field: FilterField | null,
): readonly string[] {
  if (!isWellFormed(text)) return [];
  const contains = (json: string): string =>
    using('containment', `${columns.data} @> ${parameters.add(nested([name], json), 'jsonb')}`);
  const candidates = scalars(text, field?.type ?? null);
  const direct = field?.many === true ? [] : candidates.map(contains);
  const anyElement = field === null || field.many ? candidates.map((json) => contains(`[${json}]`)) : [];
  const whole = field === null || field.type === 'json' ? structure(text) : null;
  return [
    ...direct,
    ...anyElement,
    ...(whole === null
      ? []
      : [`${columns.data} -> ${parameters.add(name, 'text')} = ${parameters.add(whole, 'jsonb')}`]),
  ];
}

/** Text of SQL of the type. */
const TEXT_OF: Readonly<Record<ColumnType, (sql: string) => string>> = {
  text: (sql) => sql,
  name: (sql) => sql,
  integer: (sql) => `(${sql})::text`,
  boolean: (sql) => `CASE WHEN ${sql} THEN 'true' ELSE 'false' END`,
  instant: instantSql,
  object: (sql) => `(${sql})::text`,
};

function condition(
  parameters: Parameters,
  columns: FilterColumns,
  { name, values }: FieldParameter,
  fields: ReadonlyMap<string, FilterField> | null,
): string {
  if (values.length > MAX_VALUES) throw invalid(`${name} has more than ${MAX_VALUES} values`);
  const field = fields?.get(name) ?? null;
  // an id is never kept in data
  const own = field === null || name === 'id' ? parameterColumn(name) : null;
  if (own !== null) {
    if (own.type === 'boolean' && !values.every((value) => value === 'true' || value === 'false'))
      throw invalid(`${name} must be true or false`);
    return `${TEXT_OF[own.type](columns[own.name])} = ANY(${parameters.add(values.filter(isWellFormed), 'text[]')})`;
  }
  if (fields !== null && field === null) throw invalid(`unknown field ${name}`, { field: name });
  if (!isWellFormed(name)) return 'false';
  const any = values.flatMap((value) => terms(parameters, columns, name, value, field));
  return any.length === 0 ? 'false' : `(${any.join(' OR ')})`;
}

/**
 * Compiles field parameters: all of them must hold, each with any of its values. Names of columns that are
 * parameters mean the entity's own where its type has no such field.
 * @param fields the fields of the named type, null when no type is named: then a value of any kind may match,
 * or an element of a list
 * @throws DomainError `validation_failed` for a field that the named type does not have
 * (docs/reference/metadata.md#field-parameters)
 */
export function compileFieldFilter(
  fields: ReadonlyMap<string, FilterField> | null,
  given: readonly FieldParameter[],
  columns: FilterColumns = FILTER_COLUMNS,
): CompiledFieldFilter {
  const parameters = new Parameters();
  const conditions = given.map((parameter) => condition(parameters, columns, parameter, fields));
  const fragment = parameters.finish(conditions.length === 0 ? 'true' : `(${conditions.join(' AND ')})`);
  return {
    where: (params) => fragment.into(params),
    uses: fragment.uses,
    mentions: (name) => given.some((parameter) => parameter.name === name),
  };
}
