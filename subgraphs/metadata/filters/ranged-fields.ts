// The data fields with a range condition in a filter, which an index over the field could answer.
import { type CelNode, termsOf } from '../../../platform/cel/syntax.ts';
import { numberOf } from '../reading/constants.ts';
import type { IndexKind } from '../schema-model/field-index.ts';

export interface RangedField {
  readonly field: string;
  readonly kind: IndexKind;
}

const RANGES: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

/** `data.x` or `data["x"]`. */
function fieldOf(node: CelNode): string | null {
  const isData = (operand: CelNode | undefined): boolean =>
    operand?.kind === 'name' && operand.name === 'data';
  if (node.kind === 'select') return isData(node.operand) ? node.field : null;
  if (node.kind !== 'call' || node.function !== '_[_]' || !isData(node.args[0])) return null;
  const key = node.args[1];
  return key?.kind === 'constant' && typeof key.value === 'string' ? key.value : null;
}

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
      fieldOf(left) === null ? [fieldOf(right), kindOf(left)] : [fieldOf(left), kindOf(right)];
    if (field !== null && kind !== null) found.set(`${kind} ${field}`, { field, kind });
  }
  return [...found.values()];
}
