// The WHERE of a filter: each term as SQL if possible, and the rest for the evaluator.
import type { CelNode } from '../../../platform/cel/syntax.ts';
import { termsOf } from '../../../platform/cel/syntax.ts';
import { asBool } from './sql-values.ts';
import type { Translator } from './translate.ts';
import { Unsupported } from './unsupported.ts';

export interface SqlCondition {
  /** TRUE in every row that matches; only in those if `exact`. */
  readonly sql: string;
  readonly exact: boolean;
  /** The reason that it is not exact. */
  readonly reasons: readonly string[];
}

const NOTHING = 'true';

function term(translator: Translator, node: CelNode): SqlCondition {
  try {
    const value = translator.value(node);
    const sql = value.kind === 'bool' && value.whereTrue !== undefined ? value.whereTrue : asBool(value);
    return { sql: `(${sql})`, exact: true, reasons: [] };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return { sql: NOTHING, exact: false, reasons: [error.message] };
  }
}

/** The SQL of the term where only TRUE matters. */
export function conditionOf(translator: Translator, node: CelNode): SqlCondition {
  if (node.kind !== 'call' || (node.function !== '_&&_' && node.function !== '_||_'))
    return term(translator, node);
  const parts = termsOf(node, node.function).map((part) => conditionOf(translator, part));
  const exact = parts.every((part) => part.exact);
  const reasons = parts.flatMap((part) => part.reasons);
  if (node.function === '_||_') {
    const everything = parts.some((part) => part.sql === NOTHING);
    return { sql: everything ? NOTHING : `(${parts.map((part) => part.sql).join(' OR ')})`, exact, reasons };
  }
  const said = parts.filter((part) => part.sql !== NOTHING).map((part) => part.sql);
  return { sql: said.length === 0 ? NOTHING : `(${said.join(' AND ')})`, exact, reasons };
}
