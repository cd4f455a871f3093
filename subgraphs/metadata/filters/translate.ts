// Translates the tree to SQL values, term by term: the table of CEL constructs and their SQL.
import { isCelError } from '@bufbuild/cel';
import { TYPE_NAMES } from '../../../platform/cel/functions-known.ts';
import { StepBudget, withStepBudget } from '../../../platform/cel/limits.ts';
import { planCel } from '../../../platform/cel/plan.ts';
import { freeNames } from '../../../platform/cel/syntax.ts';
import type { CallNode, CelNode } from '../../../platform/cel/syntax.ts';
import { COLUMN_BY_NAME, type ColumnType } from '../../../platform/entity-columns.ts';
import { isWellFormed } from '../reading/constants.ts';
import type { FilterColumns } from './columns.ts';
import { equal } from './equality.ts';
import { at, field, hasField, isIn } from './lists.ts';
import { macro } from './macros.ts';
import { compare } from './ordering.ts';
import { Parameters, using } from '../reading/parameters.ts';
import type { SqlType } from '../reading/parameters.ts';
import { ERROR, asBool, asJson, bool, json } from './sql-values.ts';
import type { ColumnSql, JsonSql, SqlContext, SqlValue } from './sql-values.ts';
import { asciiCase, concatenated, patternTest, sizeSql, stringTest } from './strings.ts';
import { accessor, minus, timePlus } from './times.ts';
import { unsupported } from './unsupported.ts';

/** SQL of a column that is not nullable. */
const COLUMN_SQL: Readonly<Record<ColumnType, (sql: string) => ColumnSql>> = {
  text: (sql) => ({ kind: 'text', sql, nullable: false }),
  name: (sql) => ({ kind: 'text', sql, nullable: false }),
  integer: (sql) => ({ kind: 'number', sql: `(${sql})::numeric`, nullable: false }),
  boolean: (sql) => ({ kind: 'bool', sql, nullable: false }),
  instant: (sql) => ({ kind: 'time', sql, nullable: false }),
  object: (sql) => ({ kind: 'json', sql, nullable: false, path: [] }),
};

function column(columns: FilterColumns, name: string): ColumnSql | null {
  const found = COLUMN_BY_NAME.get(name);
  if (found === undefined) return null;
  const sql = found.timeOf === undefined ? columns[found.name] : using('times', columns[found.name]);
  return found.isNullable === true
    ? { kind: 'json', sql: `coalesce(to_jsonb(${sql}), 'null'::jsonb)`, nullable: false, path: null }
    : COLUMN_SQL[found.type](sql);
}

/** Translates one expression; its parts share their parameters. */
export class Translator implements SqlContext {
  readonly columns: FilterColumns;
  readonly parameters = new Parameters();
  /**
   * The variables of the enclosing macros, innermost first. Only the innermost is translated: the others
   * would be read for every element.
   */
  private variables: readonly { readonly name: string; readonly value: JsonSql }[] = [];
  private aliases = 0;

  readonly #columnOf: (name: string) => ColumnSql | null;

  /** @param columnOf what names stand for; by default an entity's columns */
  constructor(
    columns: FilterColumns,
    columnOf: (name: string) => ColumnSql | null = (name) => column(columns, name),
  ) {
    this.columns = columns;
    this.#columnOf = columnOf;
  }

  param(value: string | readonly string[], type: SqlType): string {
    if (type === 'text' && typeof value === 'string' && !isWellFormed(value))
      return unsupported('a string that PostgreSQL cannot hold');
    return this.parameters.add(value, type);
  }

  newAlias(): string {
    return `x${++this.aliases}`;
  }

  withVariable<T>(name: string, value: JsonSql, body: () => T): T {
    const outer = this.variables;
    this.variables = [{ name, value }, ...outer];
    try {
      return body();
    } finally {
      this.variables = outer;
    }
  }

  /** @throws Unsupported if SQL cannot express it */
  value(node: CelNode): SqlValue {
    if (this.isConstant(node)) return constant(node);
    switch (node.kind) {
      case 'name':
        return this.name(node.name);
      case 'select':
        return field(this, this.value(node.operand), node.field);
      case 'has':
        return hasField(this, this.value(node.operand), node.field);
      case 'macro':
        return macro(this, node);
      case 'call':
        return this.call(node);
      case 'constant':
      case 'list':
      case 'map':
      case 'collect':
        return unsupported(`a ${node.kind === 'collect' ? 'map or filter' : node.kind}`);
      default:
        return node satisfies never;
    }
  }

  private name(name: string): SqlValue {
    const [innermost, ...outer] = this.variables;
    if (innermost?.name === name) return innermost.value;
    const value = outer.some((variable) => variable.name === name) ? null : this.#columnOf(name);
    if (value === null || (innermost !== undefined && value.kind === 'json'))
      return unsupported(`'${name}' inside a list macro`);
    return value;
  }

  /**
   * The evaluator itself evaluates parts without names, so that literals, `timestamp(…)` and `1 + 2` have the
   * same meaning.
   */
  isConstant(node: CelNode): boolean {
    for (const name of freeNames(node)) {
      if (!TYPE_NAMES.has(name) || this.variables.some((variable) => variable.name === name)) return false;
    }
    return true;
  }

  private call(node: CallNode): SqlValue {
    const [first, second, third] = (node.target === null ? node.args : [node.target, ...node.args]).map(
      (part) => () => this.value(part),
    );
    if (first === undefined) return unsupported(node.function);
    const a = first();
    const name = node.function;
    switch (name) {
      case '!_':
        return bool(`(NOT (${asBool(a)}))`);
      case 'size':
        return sizeSql(a);
      case 'lowerAscii':
        return asciiCase(this, 'lower', a);
      case 'upperAscii':
        return asciiCase(this, 'upper', a);
      default:
        break;
    }
    const part = accessor(name, a, node.args.length);
    if (part !== null) return part;
    if (second === undefined) return unsupported(`function ${name}`);
    const b = second();
    switch (name) {
      case '_&&_':
        return bool(`(${asBool(a)} AND ${asBool(b)})`);
      case '_||_':
        return bool(`(${asBool(a)} OR ${asBool(b)})`);
      case '_==_':
        return equal(this, a, b);
      case '_!=_': {
        const same = equal(this, a, b);
        return same.kind === 'error' ? same : bool(`(NOT (${asBool(same)}))`);
      }
      case '_<_':
        return compare(this, '<', a, b);
      case '_<=_':
        return compare(this, '<=', a, b);
      case '_>_':
        return compare(this, '>', a, b);
      case '_>=_':
        return compare(this, '>=', a, b);
      case '_[_]':
        return at(this, a, b);
      case '@in':
        return isIn(this, a, b);
      case 'contains':
      case 'startsWith':
      case 'endsWith':
        return stringTest(this, name, a, b);
      case 'matches':
        return patternTest(this, a, b);
      case '_-_':
        return minus(this, a, b);
      case '_+_':
        return timePlus(this, a, b) ?? concatenated(this, a, b) ?? unsupported('arithmetic');
      case '_?_:_':
        return third === undefined ? unsupported(name) : this.conditional(a, b, third());
      default:
        return unsupported(`function ${name}`);
    }
  }

  private conditional(condition: SqlValue, then: SqlValue, otherwise: SqlValue): SqlValue {
    if (then.kind === 'error' && otherwise.kind === 'error') return ERROR;
    const chosen = (sqlOf: (value: SqlValue) => string): string => {
      const branch = (value: SqlValue): string => (value.kind === 'error' ? 'NULL' : sqlOf(value));
      return `(CASE WHEN ${asBool(condition)} THEN ${branch(then)} WHEN NOT (${asBool(condition)}) THEN ${branch(otherwise)} END)`;
    };
    const isBool = (value: SqlValue): boolean =>
      value.kind === 'error' ||
      value.kind === 'bool' ||
      (value.kind === 'constant' && typeof value.value === 'boolean');
    if (isBool(then) && isBool(otherwise)) return bool(chosen(asBool));
    return json(
      chosen((value) =>
        value.kind === 'number' ? unsupported('a computed number in a conditional') : asJson(this, value),
      ),
    );
  }
}

const CONSTANT_STEPS = 10_000;

export function constant(node: CelNode): SqlValue {
  const budget = new StepBudget(CONSTANT_STEPS);
  const value = withStepBudget(budget, () => planCel(node)({}));
  if (budget.exhausted) return unsupported('a literal that takes long to work out');
  return isCelError(value) ? ERROR : { kind: 'constant', value };
}
