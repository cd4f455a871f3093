// `exists`, `all` and `exists_one` as SQL over the elements of a JSON array.
import { isCelError } from '@bufbuild/cel';
import { planCel } from '../../../platform/cel/plan.ts';
import { freeNames, termsOf } from '../../../platform/cel/syntax.ts';
import type { CelNode, TestMacroNode } from '../../../platform/cel/syntax.ts';
import { isScalarText, constantText, nested } from '../reading/constants.ts';
import { contained } from './equality.ts';
import { ERROR, asBool, bool } from './sql-values.ts';
import type { SqlContext, SqlValue } from './sql-values.ts';
import { unsupported } from './unsupported.ts';

/** Combines the results `p` of all elements: an error anywhere is absorbed as `&&` and `||` absorb it. */
const COLLECTED: Readonly<Record<TestMacroNode['macro'], string>> = {
  exists: 'CASE WHEN bool_or(p) THEN true WHEN bool_or(p IS NULL) THEN NULL ELSE false END',
  all: 'CASE WHEN bool_or(NOT p) THEN false WHEN bool_or(p IS NULL) THEN NULL ELSE true END',
  exists_one: 'CASE WHEN bool_or(p IS NULL) THEN NULL ELSE count(*) FILTER (WHERE p) = 1 END',
};

export function macro(context: SqlContext, node: TestMacroNode): SqlValue {
  const list = context.value(node.range);
  if (list.kind === 'constant') return unsupported('a list macro over a literal');
  if (list.kind !== 'json') return ERROR;
  const alias = context.newAlias();
  const element = { kind: 'json', sql: `${alias}.v`, nullable: false, path: null } as const;
  const predicate = context.withVariable(node.variable, element, () => asBool(context.value(node.predicate)));
  const elements = `jsonb_array_elements(${list.sql}) AS ${alias}(v)`;
  const isArray = `jsonb_typeof(${list.sql}) = 'array'`;
  const sql = `CASE WHEN ${isArray} THEN (SELECT ${COLLECTED[node.macro]} FROM (SELECT ${predicate} AS p FROM ${elements}) AS s${alias}) END`;
  if (node.macro !== 'exists') return bool(sql);
  const found = `(CASE WHEN ${isArray} THEN EXISTS (SELECT 1 FROM ${elements} WHERE ${predicate}) END)`;
  const needed =
    list.path === null || list.path.length === 0 ? null : neededElement(node.predicate, node.variable);
  if (needed === null || list.path === null) return bool(sql, found);
  return bool(sql, `(${contained(context, list.path, `[${needed}]`)} AND ${found})`);
}

/**
 * JSON text of an element that the array must contain for the predicate to be true of any: from its first
 * `x.f == literal`.
 */
function neededElement(predicate: CelNode, variable: string): string | null {
  for (const term of termsOf(predicate, '_&&_')) {
    const needed =
      term.kind === 'call' && term.function === '_==_' ? fromEquality(term.args, variable) : null;
    if (needed !== null) return needed;
  }
  return null;
}

function fromEquality([left, right]: readonly CelNode[], variable: string): string | null {
  if (left === undefined || right === undefined) return null;
  const path = pathFrom(left, variable) ?? pathFrom(right, variable);
  const literal = scalarText(pathFrom(left, variable) === null ? left : right);
  return path === null || literal === null ? null : nested(path, literal);
}

function pathFrom(node: CelNode, variable: string): readonly string[] | null {
  if (node.kind === 'name') return node.name === variable ? [] : null;
  if (node.kind !== 'select') return null;
  const path = pathFrom(node.operand, variable);
  return path === null ? null : [...path, node.field];
}

function scalarText(node: CelNode): string | null {
  if (freeNames(node).size > 0) return null;
  const value = planCel(node)({});
  const text = isCelError(value) ? null : constantText(value);
  return text !== null && isScalarText(text) ? text : null;
}
