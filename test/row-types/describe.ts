// What PostgreSQL says of a statement without running it: its parameters' types, and its columns.
import type pg from 'pg';

/**
 * What a value of a column or a parameter is in JavaScript, by the driver's parsers; `digits` is a number that
 * is read as text.
 */
export type Kind =
  'string' | 'digits' | 'number' | 'boolean' | 'date' | 'bytes' | 'json' | 'void' | { readonly listOf: Kind };

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** PostgreSQL's name of the type. */
  readonly type: string;
  /** Whether it is a column of a table that may be null there. */
  readonly isNullable: boolean;
}
export interface Parameter {
  readonly kind: Kind;
  readonly type: string;
}
export interface Described {
  readonly parameters: readonly Parameter[];
  readonly columns: readonly Column[];
}
export type Describe = (text: string) => Promise<Described>;

interface FieldMessage {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}
/** What `pg` has on a connection, and its types do not tell of. */
interface Connection extends NodeJS.EventEmitter {
  parse(message: { text: string; name: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Asks by the protocol's Parse and Describe; nothing runs (PostgreSQL, «Message Flow»). */
class Description {
  readonly #text: string;
  readonly #done: (error: Error | null, fields: readonly FieldMessage[]) => void;
  #fields: readonly FieldMessage[] = [];

  constructor(text: string, done: (error: Error | null, fields: readonly FieldMessage[]) => void) {
    this.#text = text;
    this.#done = done;
  }

  submit(connection: Connection): void {
    connection.parse({ text: this.#text, name: '', types: [] });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: readonly FieldMessage[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error): void {
    this.#done(error, []);
  }

  handleReadyForQuery(): void {
    this.#done(null, this.#fields);
  }

  readonly handleParseComplete = (): void => undefined;
}

/** By PostgreSQL's name of the type; what is not named here the driver gives as text. */
const KINDS: Readonly<Record<string, Kind>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  oid: 'number',
  int8: 'digits',
  numeric: 'digits',
  float4: 'number',
  float8: 'number',
  timestamptz: 'date',
  timestamp: 'date',
  date: 'date',
  bytea: 'bytes',
  json: 'json',
  jsonb: 'json',
  void: 'void',
};
const kindOf = (type: string): Kind =>
  type.startsWith('_') ? { listOf: kindOf(type.slice(1)) } : (KINDS[type] ?? 'string');

/** @param client that nobody else uses */
export async function describer(client: pg.Client): Promise<Describe> {
  const { rows: types } = await client.query<{ oid: number; name: string }>(
    'SELECT oid, typname AS name FROM pg_type',
  );
  const nameOf = new Map(types.map(({ oid, name }) => [oid, name]));
  const { rows } = await client.query<{ column: string }>(
    `SELECT a.attrelid || '.' || a.attnum AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attnum > 0 AND NOT a.attnotnull AND c.relkind IN ('r', 'p')`,
  );
  const nullable = new Set(rows.map(({ column }) => column));
  let parameters: readonly number[] = [];
  const { connection } = client as unknown as { connection: Connection };
  connection.on('parameterDescription', (message: { dataTypeIDs: readonly number[] }) => {
    parameters = message.dataTypeIDs;
  });
  const typeOf = (oid: number): Parameter => {
    const type = nameOf.get(oid) ?? String(oid);
    return { type, kind: kindOf(type) };
  };
  return async (text) => {
    const fields = await new Promise<readonly FieldMessage[]>((resolve, reject) => {
      const done = (error: Error | null, found: readonly FieldMessage[]): void => {
        if (error) reject(error);
        else resolve(found);
      };
      client.query(new Description(text, done) as unknown as pg.Submittable);
    });
    return {
      parameters: parameters.map(typeOf),
      columns: fields.map(({ name, tableID, columnID, dataTypeID }) => ({
        name,
        ...typeOf(dataTypeID),
        isNullable: nullable.has(`${tableID}.${columnID}`),
      })),
    };
  };
}
