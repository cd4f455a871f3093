// Compiles `filter` of a listing: a CEL expression becomes a WHERE over entities and a residue that SQL
// cannot express (docs/reference/cel.md#pushdown).
import { LRUCache } from 'lru-cache';
import { ENTITY_VARIABLES } from '../../../platform/cel/bindings.ts';
import { compileCel, programOf } from '../../../platform/cel/compile.ts';
import type { CelProgram } from '../../../platform/cel/compile.ts';
import { printCel } from '../../../platform/cel/print.ts';
import { formatTimestamp } from '../../../platform/cel/timestamps.ts';
import { partsOf, termsOf } from '../../../platform/cel/syntax.ts';
import type { CelNode } from '../../../platform/cel/syntax.ts';
import { FILTER_COLUMNS } from './columns.ts';
import type { FilterColumns } from './columns.ts';
import { dataField, isData, timedFieldsOf } from './data-fields.ts';
import type { ChangedAfter } from '../reading/page-request.ts';
import { timestampOf } from '../reading/constants.ts';
import type { SqlUse } from '../reading/parameters.ts';
import { type RangedField, rangedFields } from './ranged-fields.ts';
import { constant, Translator } from './translate.ts';
import { conditionOf } from './where.ts';

/** How a filter is evaluated, to explain why it is slow. */
export interface FilterPlan {
  /** Terms that PostgreSQL evaluates. */
  readonly pushed: readonly string[];
  /** Terms that are checked row by row. */
  readonly left: readonly string[];
  /** The reasons for that. */
  readonly reasons: readonly string[];
  /** The names in those terms: fields of data, and others. */
  readonly fields: readonly string[];
}

export interface CompiledFilter {
  readonly text: string;
  /**
   * SQL for a WHERE, in parentheses or a constant: TRUE for every entity that matches, and for others only if
   * the filter is not `exact`. Its values are appended to `params`; it refers to them by position.
   */
  where(params: unknown[]): string;
  readonly uses: ReadonlySet<SqlUse>;
  /** Whether `where` alone decides. */
  readonly exact: boolean;
  /** The part to be checked for each row that `where` selects; null when exact. See `matchesResidue`. */
  readonly residue: CelProgram | null;
  readonly explain: FilterPlan;
  /** Fields of data that it names. */
  readonly dataFields: readonly string[];
  /**
   * Data fields that are compared like timestamps, or with times in another text form than the stored one.
   */
  readonly timedFields: readonly string[];
  /** Data fields with a range condition. */
  readonly ranges: readonly RangedField[];
  readonly changedAfter: ChangedAfter | null;
  /** Whether the filter names the variable: `is_available` changes what a listing shows. */
  mentions(name: string): boolean;
}

/** `data.a.b` is `data.a`: a name, and for data the field. */
function fieldsOf(node: CelNode): readonly string[] {
  if (node.kind === 'name') return Object.hasOwn(ENTITY_VARIABLES, node.name) ? [node.name] : [];
  if ((node.kind === 'select' || node.kind === 'has') && isData(node.operand)) return [`data.${node.field}`];
  return partsOf(node).flatMap(fieldsOf);
}

function dataFieldsOf(node: CelNode): readonly string[] {
  const field = dataField(node) ?? (node.kind === 'has' && isData(node.operand) ? node.field : undefined);
  return field === undefined ? partsOf(node).flatMap(dataFieldsOf) : [field];
}

interface Term {
  readonly node: CelNode;
  readonly condition: Pick<ReturnType<typeof conditionOf>, 'sql' | 'exact'>;
}

/** The first of the terms that must all be true which says so. */
function changedAfterIn(translator: Translator, terms: readonly Term[]): ChangedAfter | null {
  for (const { node: term, condition } of terms) {
    if (!condition.exact) continue;
    if (term.kind !== 'call' || (term.function !== '_>_' && term.function !== '_>=_')) continue;
    const [left, right] = term.args;
    if (left?.kind !== 'name' || left.name !== 'updated_at') continue;
    if (right === undefined || !translator.isConstant(right)) continue;
    const value = constant(right);
    const time = value.kind === 'constant' ? timestampOf(value.value) : undefined;
    if (time !== undefined) return { time: formatTimestamp(time), isAll: terms.length === 1 };
  }
  return null;
}

const all = (nodes: readonly CelNode[]): CelNode | null =>
  nodes.reduce<CelNode | null>(
    (whole, node) =>
      whole === null
        ? node
        : { kind: 'call', offset: node.offset, function: '_&&_', target: null, args: [whole, node] },
    null,
  );

function compile(text: string, columns: FilterColumns): CompiledFilter {
  const program = compileCel(text, { variables: ENTITY_VARIABLES });
  const translator = new Translator(columns);
  const terms = termsOf(program.node, '_&&_').map((node) => ({
    node,
    condition: conditionOf(translator, node),
  }));
  const said = terms
    .filter(({ condition }) => condition.sql !== 'true')
    .map(({ condition }) => condition.sql);
  const fragment = translator.parameters.finish(said.length === 0 ? 'true' : `(${said.join(' AND ')})`);
  const left = terms.filter(({ condition }) => !condition.exact);
  const residue = all(left.map(({ node }) => node));
  return {
    text,
    where: (params) => fragment.into(params),
    uses: fragment.uses,
    exact: residue === null,
    residue: residue === null ? null : programOf(text, residue),
    explain: {
      pushed: terms.filter(({ condition }) => condition.exact).map(({ node }) => printCel(node)),
      left: left.map(({ node }) => printCel(node)),
      reasons: [...new Set(left.flatMap(({ condition }) => condition.reasons))],
      fields: [...new Set(left.flatMap(({ node }) => fieldsOf(node)))],
    },
    dataFields: program.mentions('data') ? [...new Set(dataFieldsOf(program.node))] : [],
    timedFields: program.mentions('data') ? [...new Set(timedFieldsOf(program.node))] : [],
    ranges: rangedFields(program.node),
    changedAfter: changedAfterIn(translator, terms),
    mentions: (name) => program.mentions(name),
  };
}

const caches = new WeakMap<FilterColumns, LRUCache<string, CompiledFilter>>();

/**
 * Compiles a filter; cached by text and `columns`, which should be a constant.
 * @throws CelError `validation_failed` with line and column (docs/reference/cel.md#refusals)
 */
export function compileFilter(text: string, columns: FilterColumns = FILTER_COLUMNS): CompiledFilter {
  let cache = caches.get(columns);
  if (cache === undefined) caches.set(columns, (cache = new LRUCache({ max: 500 })));
  const known = cache.get(text);
  if (known !== undefined) return known;
  const filter = compile(text, columns);
  cache.set(text, filter);
  return filter;
}
