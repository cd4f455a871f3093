// SQL text whose parameters are not numbered yet: a filter is compiled once and inserted into many
// statements.

export type SqlType = 'text' | 'text[]' | 'jsonb' | 'jsonb[]' | 'numeric' | 'timestamptz' | 'interval';

/**
 * A placeholder is a number between two control characters, which occur neither in our SQL nor in column
 * expressions.
 */
// oxlint-disable-next-line no-control-regex -- they are what tells a placeholder from SQL
const PLACEHOLDER = /\u0001(\d+)\u0002/g;
// oxlint-disable-next-line no-control-regex -- likewise
const MARK = /\u0003(times|containment)\u0002/g;

/**
 * What a condition requires of its statement: that the events with the timestamps are joined; that the index
 * over data is usable.
 */
export type SqlUse = 'times' | 'containment';

/**
 * SQL with a mark that declares its requirements; {@link Parameters.finish} removes the marks and lists them.
 */
export const using = (use: SqlUse, sql: string): string => `\u0003${use}\u0002${sql}`;

/** Collects parameters; equal ones are sent once. */
export class Parameters {
  private readonly values: unknown[] = [];
  private readonly known = new Map<string, number>();

  /** The placeholder, with its type, of a value. */
  add(value: string | readonly string[], type: SqlType): string {
    const key = `${type} ${JSON.stringify(value)}`;
    let index = this.known.get(key);
    if (index === undefined) {
      index = this.values.push(value) - 1;
      this.known.set(key, index);
    }
    return `\u0001${index}\u0002::${type}`;
  }

  /**
   * Ends the collection: values that `sql` does not use are dropped (PostgreSQL cannot type an unused
   * parameter).
   */
  finish(sql: string): SqlFragment {
    // The pattern ensures the value.
    const uses = new Set([...sql.matchAll(MARK)].map(([, use]) => use as SqlUse));
    const parts = sql.replaceAll(MARK, '').split(PLACEHOLDER); // text, index, text, index, …, text
    return new SqlFragment(
      parts.filter((_, i) => i % 2 === 0),
      parts.filter((_, i) => i % 2 === 1).map(Number),
      this.values,
      uses,
    );
  }
}

/** SQL that is complete except for the numbers of its parameters, and its requirements. */
class SqlFragment {
  private readonly texts: readonly string[];
  private readonly slots: readonly number[];
  private readonly values: readonly unknown[];
  readonly uses: ReadonlySet<SqlUse>;

  /** @param texts one more than `slots`, which are the indexes of the values between them */
  constructor(
    texts: readonly string[],
    slots: readonly number[],
    values: readonly unknown[],
    uses: ReadonlySet<SqlUse>,
  ) {
    this.uses = uses;
    this.texts = texts;
    this.slots = slots;
    this.values = values;
  }

  /** Appends the values to a statement's parameters and returns the text that refers to them as `$n`. */
  into(params: unknown[]): string {
    const numbers = new Map<number, number>();
    let sql = this.texts[0] ?? '';
    this.slots.forEach((slot, i) => {
      let number = numbers.get(slot);
      if (number === undefined) {
        number = params.push(this.values[slot]);
        numbers.set(slot, number);
      }
      sql += `$${number}${this.texts[i + 1] ?? ''}`;
    });
    return sql;
  }
}
