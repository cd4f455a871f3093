// Makes rows of a bulk ingest out of the rows of a table.
import { isObject } from '../../platform/json-object.ts';
import type { SourceFormat } from '../../platform/tables/read-table.ts';
import type { TableRow } from '../../platform/tables/table-row.ts';
import type { Api } from '../api.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { fieldsOf } from './fields.ts';
import {
  type CellsByColumn,
  type TableMapping,
  MappingFault,
  mappingOf,
  type MappingOptions,
  RowFault,
  typeNamedBy,
} from '../../platform/tables/table-mapping.ts';

/** A row on its way: the text of the request's row, or why there is none. */
export interface Sent {
  /** From 1, as the table counts; null where it is not known. */
  readonly line: number | null;
  /** As it was read, if it is kept; of a row that could not be read, its fields or undefined. */
  readonly row: unknown;
  readonly body: string;
  readonly id: string | null;
  readonly fault?: { readonly message: string; readonly column: string | null };
  readonly columnOf: TableMapping['columnOf'];
}

export interface RequestOptions extends Omit<MappingOptions, 'names' | 'parseJson'> {
  readonly format: SourceFormat;
  /** Of rows that name none. */
  readonly type: string | undefined;
  /** Whether rows are kept as they were read, for those that are refused. */
  readonly keepsRows: boolean;
  /** Called once where rows have no id. */
  readonly onNoId: () => void;
}

const NAMES = { map: '--map', id: '--id', skip: '--skip', skipUnknown: '--skip-unknown' };

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the platform reports the fault and names the field
  }
};

const SAME = (field: string): string => field;

const refused = (line: number | null, row: unknown, message: string, column: string | null = null): Sent => ({
  line,
  row,
  body: '',
  id: null,
  fault: { message, column },
  columnOf: SAME,
});

const isTable = (format: SourceFormat): boolean => format !== 'json' && format !== 'ndjson';

/** Of a record that is a request and names no type. */
const OF_REQUESTS = ['id', 'data', 'if_version'];

/** Makes the requests of a load: reads the schemas of the types it meets. */
export class Requests {
  readonly #api: Api;
  readonly #options: RequestOptions;
  readonly #mappings = new Map<string, TableMapping>();
  readonly #fields = new Map<string, ReturnType<typeof fieldsOf>>();
  readonly #hasMapping: boolean;
  #columns: readonly string[] | undefined;
  #knowsOfNoId = false;

  constructor(api: Api, options: RequestOptions) {
    this.#api = api;
    this.#options = options;
    this.#hasMapping = options.map.length > 0 || options.id !== undefined || options.skip.length > 0;
  }

  /** The names of the columns, of a table; those of the first row of JSON. */
  get columns(): readonly string[] {
    return this.#columns ?? [];
  }

  /** @throws UsageFailure, Failure where no row can be sent */
  async of(read: TableRow): Promise<Sent> {
    const { line } = read;
    if ('fault' in read) return refused(line, read.fields, read.fault);
    if (!isObject(read.row)) return refused(line, read.row, 'a record must be a JSON object');
    const row = read.row;
    this.#columns ??= Object.keys(row);
    try {
      return isTable(this.#options.format) || this.#hasMapping
        ? await this.#mapped(line, row, read.jsonColumns)
        : this.#plain(line, row, await this.#isRequest(row));
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      return refused(line, row, error.message, error.column);
    }
  }

  async #mapped(line: number | null, row: CellsByColumn, jsonColumns?: readonly string[]): Promise<Sent> {
    const type = typeNamedBy(row, this.#options) ?? this.#options.type;
    if (type === undefined)
      return refused(line, row, 'no entity type: give --type or --guess-type, or add a column entity_type');
    const mapping = await this.#mappingOf(type, row);
    const { id, data } = mapping.entityOf(row, jsonColumns);
    if (id === null && !mapping.hasId) this.#noteNoId();
    return {
      line,
      row: this.#kept(row),
      body: JSON.stringify({ entity_type: type, ...(id === null ? {} : { id }), data }),
      id,
      columnOf: mapping.columnOf,
    };
  }

  /** Whether a JSON record is a request to ingest, not the data of one: `{"id", "data"}` is, of a type without a field `data`. */
  async #isRequest(row: CellsByColumn): Promise<boolean> {
    const { entity_type: own, data } = row;
    if (!isObject(data)) return false;
    if (typeof own === 'string') return true;
    const { type } = this.#options;
    if (type === undefined || Object.keys(row).some((name) => !OF_REQUESTS.includes(name))) return false;
    const fields = this.#fields.get(type) ?? fieldsOf(this.#api, type);
    this.#fields.set(type, fields);
    return (await fields)?.has('data') === false;
  }

  /** A request goes as it is, with the type where it names none; any other record as the `data` of one. */
  #plain(line: number | null, row: CellsByColumn, isRequest: boolean): Sent {
    const { data, id } = row;
    const { type } = this.#options;
    if (!isRequest && type === undefined)
      return refused(
        line,
        row,
        'the record has no entity_type and data; give --type if records contain only data',
      );
    const fields = isRequest && isObject(data) ? data : row;
    const named = (isRequest ? id : undefined) ?? fields['id'] ?? null;
    if (named === null) this.#noteNoId();
    return {
      line,
      row: this.#kept(row),
      body: JSON.stringify(isRequest ? { entity_type: type, ...row } : { entity_type: type, data: row }),
      id: typeof named === 'string' ? named : null,
      columnOf: SAME,
    };
  }

  /** Thousands of rows are under way: what nobody asks for is not held until they are written. */
  #kept(row: CellsByColumn): CellsByColumn | undefined {
    return this.#options.keepsRows ? row : undefined;
  }

  #noteNoId(): void {
    if (this.#knowsOfNoId) return;
    this.#knowsOfNoId = true;
    this.#options.onNoId();
  }

  async #mappingOf(type: string, row: CellsByColumn): Promise<TableMapping> {
    const known = this.#mappings.get(type);
    if (known !== undefined) return known;
    const fields = await fieldsOf(this.#api, type);
    if (fields === null)
      throw new Failure(
        `there is no type ${type}: "cairn schemas infer" proposes a schema from a table, "cairn schemas register" registers it`,
        { error: 'unknown_type', type },
      );
    // rows of JSON may lack what others have
    const columns = isTable(this.#options.format) ? Object.keys(row) : columnsFor(row, fields, this.#options);
    try {
      const mapping = mappingOf(type, columns, fields, { ...this.#options, names: NAMES, parseJson });
      this.#mappings.set(type, mapping);
      return mapping;
    } catch (cause) {
      if (!(cause instanceof MappingFault)) throw cause;
      throw new UsageFailure(cause.message, { cause });
    }
  }
}

/** Keys of JSON rows that may be mapped: those of the first, and the fields of the type. */
function columnsFor(
  row: CellsByColumn,
  fields: ReadonlyMap<string, unknown>,
  { id }: RequestOptions,
): readonly string[] {
  if (id === '') throw new UsageFailure('--id needs a column or an expression');
  return [...new Set([...Object.keys(row), ...fields.keys()])];
}
