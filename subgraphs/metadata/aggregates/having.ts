// Conditions on groups: CEL over how many they are, what they share and what is measured of them, decided by
// the database (docs/reference/metadata.md#having).
import { compileCel } from '../../../platform/cel/compile.ts';
import { type CelNode, partsOf } from '../../../platform/cel/syntax.ts';
import type { CelVariables } from '../../../platform/cel/kinds.ts';
import { invalid } from '../../../platform/errors.ts';
import { FILTER_COLUMNS } from '../filters/columns.ts';
import type { ColumnSql } from '../filters/sql-values.ts';
import { Translator } from '../filters/translate.ts';
import { conditionOf } from '../filters/where.ts';

const VARIABLES: CelVariables = { count: 'int', key: 'map', measures: 'map' };

/** Of a group `g`. */
const COLUMNS: Readonly<Record<string, ColumnSql>> = {
  count: { kind: 'number', sql: 'g.n::numeric', nullable: false },
  key: { kind: 'json', sql: 'g.key::jsonb', nullable: false, path: null },
  measures: { kind: 'json', sql: 'g.measures::jsonb', nullable: false, path: null },
};

export interface Having {
  /** SQL over a group; its values are appended to `params`. */
  where(params: unknown[]): string;
  /** What it needs to have been measured. */
  readonly measured: readonly string[];
}

const isMeasures = (node: CelNode): boolean => node.kind === 'name' && node.name === 'measures';

function measuredIn(node: CelNode): readonly string[] {
  if (node.kind === 'select' && isMeasures(node.operand)) return [node.field];
  if (node.kind === 'call' && node.function === '_[_]') {
    const [of, name] = node.target === null ? node.args : [node.target, ...node.args];
    if (of && isMeasures(of) && name?.kind === 'constant' && typeof name.value === 'string')
      return [name.value];
  }
  return partsOf(node).flatMap(measuredIn);
}

/** @throws CelError; DomainError `validation_failed` for what only this process could decide */
export function compileHaving(text: string): Having {
  const program = compileCel(text, { variables: VARIABLES });
  const translator = new Translator(FILTER_COLUMNS, (name) => COLUMNS[name] ?? null);
  const { sql, exact, reasons } = conditionOf(translator, program.node);
  if (!exact)
    throw invalid(`having: the database cannot decide it: ${reasons.join('; ')}`, { field: 'having' });
  const fragment = translator.parameters.finish(sql);
  return {
    where: (params) => fragment.into(params),
    measured: [...new Set(measuredIn(program.node))],
  };
}
