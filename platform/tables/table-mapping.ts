// Which column becomes which field: by name, and by what a load says of them (docs/reference/metadata.md#tables-in).
import { ADAPTER_VARIABLES, rowBindings } from '../cel/bindings.ts';
import { CelError } from '../cel/cel-error.ts';
import { compileCel } from '../cel/compile.ts';
import { type CellOptions, convert, type Field, type Fields } from './cell-values.ts';
import { fieldsBeside, namesList, nameFor, ownColumns } from './column-names.ts';

/** What a load says of its columns cannot be meant. */
export class MappingFault extends Error {}

/** How whoever loads writes the options, for messages. */
export interface OptionNames {
  readonly map: string;
  readonly id: string;
  readonly skip: string;
  readonly skipUnknown: string;
}

export interface MappingOptions extends CellOptions {
  readonly names: OptionNames;
  /** `field=column` or `field=CEL`. */
  readonly map: readonly string[];
  readonly id: string | undefined;
  /** Columns that are left out. */
  readonly skip: readonly string[];
  readonly skipsUnknown: boolean;
  /** Texts of cells that count as empty. */
  readonly empty: readonly string[];
}

export type CellsByColumn = Readonly<Record<string, unknown>>;

/** The type that a row names in its column `entity_type`, unless that is left out; undefined where it names none. */
export function typeNamedBy(row: CellsByColumn, { skip }: Pick<MappingOptions, 'skip'>): string | undefined {
  const own = skip.includes('entity_type') ? undefined : row['entity_type'];
  return typeof own === 'string' && own.trim() !== '' ? own.trim() : undefined;
}

/** A value that cannot be made of a row. */
export class RowFault extends Error {
  readonly column: string;
  constructor(column: string, message: string) {
    super(message);
    this.column = column;
  }
}

interface Source {
  /** The column, or the expression. */
  readonly from: string;
  readonly isColumn: boolean;
  /** @throws RowFault */
  readonly read: (row: CellsByColumn) => unknown;
}

/** @throws MappingFault where the text is neither a column nor an expression */
function sourceOf(text: string, columns: readonly string[], option: string): Source {
  const column = columns.includes(text) ? text : nameFor(text, columns);
  if (column !== undefined) return { from: column, isColumn: true, read: (row) => row[column] };
  let program;
  try {
    program = compileCel(text, { variables: ADAPTER_VARIABLES, resultType: 'any' });
  } catch (cause) {
    if (!(cause instanceof CelError)) throw cause;
    throw new MappingFault(
      `${option}: there is no column ${JSON.stringify(text)}, and it is no CEL expression over row (${cause.message}). The columns are ${namesList(columns)}`,
      { cause },
    );
  }
  return {
    from: text,
    isColumn: false,
    read(row) {
      const outcome = program.evaluate(rowBindings(row));
      if (!outcome.ok) throw new RowFault(text, `${option}: ${outcome.error}`);
      return outcome.value;
    },
  };
}

interface Target {
  readonly name: string;
  readonly field: Field | undefined;
  readonly source: Source;
}

/** How rows with these columns become entities of a type. */
export interface TableMapping {
  readonly hasId: boolean;
  /** The column, or expression, that a field is from. */
  readonly columnOf: (field: string) => string | undefined;
  /** @throws RowFault */
  readonly entityOf: (
    row: CellsByColumn,
    jsonColumns?: readonly string[],
  ) => { readonly id: string | null; readonly data: CellsByColumn };
}

/** The field and the rest of `field=…`. @throws MappingFault */
function pairOf(text: string, { map }: OptionNames): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new MappingFault(`${map} must be <field>=<column or CEL>, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function idIn(value: unknown, source: Source): string | null {
  if (value === undefined || value === null || value === '') {
    if (source.from === 'id') return null; // generated
    throw new RowFault(source.from, 'the row has no id');
  }
  return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

/** @throws MappingFault for columns that are no fields */
function assertKnown(
  type: string,
  fields: Fields,
  unknown: readonly string[],
  { map, id, names }: MappingOptions,
): void {
  const expressions = [...map, ...(id === undefined ? [] : [id])];
  const left = unknown.filter(
    (column) => !/^column \d+$/.test(column) && !expressions.some((text) => text.includes(column)),
  );
  if (left.length === 0) return;
  throw new MappingFault(
    `${type} has no field for the column${left.length === 1 ? '' : 's'} ${namesList(left)}: give ${names.map} <field>=<column>, ${names.skip} <column>, or ${names.skipUnknown}. Its fields are ${namesList([...fields.keys()])}`,
  );
}

/**
 * Columns go to the fields of their names, unless `--map` or `--id` uses them.
 * @throws MappingFault
 */
export function mappingOf(
  type: string,
  columns: readonly string[],
  fields: Fields,
  options: MappingOptions,
): TableMapping {
  const { names } = options;
  const mapped: Target[] = options.map.map((text) => {
    const [name, from] = pairOf(text, names);
    if (!fields.has(name))
      throw new MappingFault(`${names.map} ${name}: ${type} has the fields ${namesList([...fields.keys()])}`);
    return { name, field: fields.get(name), source: sourceOf(from, columns, `${names.map} ${name}`) };
  });
  const given = options.id === undefined ? undefined : sourceOf(options.id, columns, names.id);
  const skipped = options.skip.map((name) => {
    const column = nameFor(name, columns);
    if (column === undefined)
      throw new MappingFault(
        `${names.skip}: there is no column ${JSON.stringify(name)}. The columns are ${namesList(columns)}`,
      );
    return column;
  });
  const used = new Set([
    ...mapped.flatMap(({ source }) => (source.isColumn ? [source.from] : [])),
    ...skipped,
    'entity_type',
  ]);
  const open = [...fields.keys(), 'id'].filter((name) => !mapped.some((target) => target.name === name));
  const own = ownColumns(columns);
  const beside = fieldsBeside(columns);
  const isOwn = (column: string): boolean =>
    own.has(column) && (!fields.has(column) || (beside.size > 0 && columns.includes(`data.${column}`)));
  const rest = columns.filter((column) => !used.has(column) && !isOwn(column));
  const named = rest.flatMap((column): Target[] => {
    const name = nameFor(beside.get(column) ?? column, open);
    if (name === undefined || (given?.from === column && !fields.has(name))) return [];
    return [
      { name, field: fields.get(name), source: { from: column, isColumn: true, read: (row) => row[column] } },
    ];
  });
  for (const [i, { name, source }] of named.entries()) {
    const other = named.slice(0, i).find((earlier) => earlier.name === name);
    if (other !== undefined)
      throw new MappingFault(
        `the columns ${namesList([other.source.from, source.from])} both stand for ${name}: give ${names.map} ${name}=<column> or ${names.skip} <column>`,
      );
  }
  const taken = new Set(named.map(({ source }) => source.from));
  const unknown = rest.filter((column) => !taken.has(column) && column !== given?.from);
  if (!options.skipsUnknown) assertKnown(type, fields, unknown, options);
  const usual = named.find(({ name }) => name === 'id');
  const id = given ?? usual?.source;
  const nameless = options.skipsUnknown ? [] : unknown.filter((column) => /^column \d+$/.test(column));
  return mappingWith([...named.filter((target) => target !== usual), ...mapped], id, nameless, options);
}

function mappingWith(
  targets: readonly Target[],
  id: Source | undefined,
  nameless: readonly string[],
  options: MappingOptions,
): TableMapping {
  const { empty } = options;
  const emptied = (cell: unknown): unknown =>
    typeof cell === 'string' && empty.includes(cell.trim()) ? null : cell;
  return {
    hasId: id !== undefined,
    columnOf: (field) =>
      field === 'id' ? id?.from : targets.find(({ name }) => name === field)?.source.from,
    entityOf(row, jsonColumns = []) {
      const data: [string, unknown][] = [];
      for (const column of nameless)
        if (row[column] !== null && row[column] !== '')
          throw new RowFault(column, 'the cell stands in a column without a name');
      for (const { name, field, source } of targets) {
        const isJson = source.isColumn && jsonColumns.includes(source.from);
        const value = convert(emptied(source.read(row)), field, options, isJson);
        if (value !== undefined) data.push([name, value]);
      }
      return {
        id: id === undefined ? null : idIn(emptied(id.read(row)), id),
        data: Object.fromEntries(data),
      };
    },
  };
}
