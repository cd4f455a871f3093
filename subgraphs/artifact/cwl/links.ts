// Checks whether the values of links fit their sinks (CWL v1.2 «WorkflowStepInput», «linkMerge»,
// «pickValue»).
import { arrayOf, type CwlType, fits, showCwlType, withoutNull } from './cwl-type.ts';
import { listOf, type Mapping } from './entries.ts';

export interface LinkSource {
  readonly type: CwlType;
}

type Merge = 'merge_nested' | 'merge_flattened' | null;

/** How several sources become one value. A single source in list form is merged only if requested. */
function mergeOf(link: Mapping, sources: unknown): Merge {
  const { linkMerge } = link;
  if (linkMerge === 'merge_nested' || linkMerge === 'merge_flattened') return linkMerge;
  if (!Array.isArray(sources)) return null;
  return sources.length > 1 || link['pickValue'] === 'all_non_null' ? 'merge_nested' : null;
}

/** What one source contributes to the merged and picked value. */
function contribution(type: CwlType, merge: Merge, pickValue: unknown): CwlType {
  const flat = merge === 'merge_flattened' && (type.kind === 'array' || type.kind === 'Any');
  const merged = merge === null || flat ? type : arrayOf(type);
  if (pickValue === 'all_non_null')
    return merged.kind === 'array' ? arrayOf(withoutNull(merged.items)) : merged;
  if (pickValue === 'first_non_null' || pickValue === 'the_only_non_null')
    return withoutNull(merged.kind === 'array' ? merged.items : merged);
  return merged;
}

/**
 * Reports sources that do not exist and, unless an expression changes the value, those whose type does not
 * fit.
 */
export function checkLink(
  link: Mapping,
  field: 'source' | 'outputSource',
  sink: CwlType | null,
  what: string,
  find: (reference: string) => LinkSource | undefined,
  report: (message: string) => void,
): void {
  const merge = mergeOf(link, link[field]);
  for (const reference of listOf(link[field])) {
    if (typeof reference !== 'string') continue; // The structure was checked and reported.
    const source = find(reference);
    if (source === undefined) {
      report(`${what}: the source ${reference} does not exist`);
      continue;
    }
    if (sink === null || link['valueFrom'] !== undefined) continue;
    const type = contribution(source.type, merge, link['pickValue']);
    if (!fits(type, sink))
      report(`${what}: type ${showCwlType(type)} cannot be assigned to ${showCwlType(sink)}`);
  }
}
