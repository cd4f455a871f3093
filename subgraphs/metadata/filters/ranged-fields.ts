// The data fields with a range condition in a filter, which an index over the field could answer.
import { type CelNode, termsOf } from '../../../platform/cel/syntax.ts';
import { numberOf } from '../reading/constants.ts';
import { dataField } from './data-fields.ts';
import type { IndexKind } from '../schema-model/field-index.ts';

export interface RangedField {
  readonly field: string;
  readonly kind: IndexKind;
}

const RANGES: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

function kindOf(node: CelNode): IndexKind | null {
  if (node.kind !== 'constant') return null;
  if (typeof node.value === 'string') return 'text';
  return numberOf(node.value) === undefined ? null : 'number';
}

/** Each field and kind once, of the terms that must all be true. */
export function rangedFields(filter: CelNode): readonly RangedField[] {
  const found = new Map<string, RangedField>();
  for (const term of termsOf(filter, '_&&_')) {
    if (term.kind !== 'call' || !RANGES.has(term.function)) continue;
    const [left, right] = term.args;
    if (left === undefined || right === undefined) continue;
    const [field, kind] =
      dataField(left) === undefined ? [dataField(right), kindOf(left)] : [dataField(left), kindOf(right)];
    if (field !== undefined && kind !== null) found.set(`${kind} ${field}`, { field, kind });
  }
  return [...found.values()];
}
