// The data fields that an expression names, and those that it treats as timestamps.
import { type CelNode, partsOf } from '../../../platform/cel/syntax.ts';
import { COLUMN_BY_NAME } from '../../../platform/entity-columns.ts';
import { canonicalInstant } from '../../../platform/instant.ts';

export const isData = (part: CelNode | undefined): boolean => part?.kind === 'name' && part.name === 'data';

/** The field that a node reads: `data.at`, `data["at"]`; undefined for other nodes. */
export function dataField(node: CelNode | undefined): string | undefined {
  if (node?.kind === 'select' && isData(node.operand)) return node.field;
  if (node?.kind !== 'call' || node.function !== '_[_]' || !isData(node.args[0])) return undefined;
  const [, name] = node.args;
  return name?.kind === 'constant' && typeof name.value === 'string' ? name.value : undefined;
}

const COMPARISONS: ReadonlySet<string> = new Set([
  '_==_',
  '_!=_',
  '_<_',
  '_<=_',
  '_>_',
  '_>=_',
  '@in',
  '_-_',
  '_+_',
]);
const TIMES: ReadonlySet<string> = new Set(['timestamp', 'duration']);

/**
 * Whether a node is a timestamp or duration, or the text of an instant in another form than the stored one.
 */
function isTime(node: CelNode): boolean {
  switch (node.kind) {
    case 'constant':
      if (typeof node.value !== 'string') return false;
      return (canonicalInstant(node.value) ?? node.value) !== node.value;
    case 'name':
      return COLUMN_BY_NAME.get(node.name)?.type === 'instant';
    case 'call':
      return (
        TIMES.has(node.function) ||
        ((node.function === '_+_' || node.function === '_-_') && node.args.some(isTime))
      );
    case 'list':
      return node.items.some(isTime);
    default:
      return false;
  }
}

/** Fields that are compared directly with a value for which they would have to be converted to an instant. */
export function timedFieldsOf(node: CelNode): readonly string[] {
  const inside = partsOf(node).flatMap(timedFieldsOf);
  if (node.kind !== 'call') return inside;
  const parts = node.target === null ? node.args : [node.target];
  const fields = parts.flatMap((part) => dataField(part) ?? []);
  const isTimed =
    node.target === null
      ? COMPARISONS.has(node.function) && node.args.some(isTime)
      : /^get[A-Z]/.test(node.function);
  return isTimed ? [...inside, ...fields] : inside;
}
