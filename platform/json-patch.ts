// JSON Patches of documents, made of the parts in which they differ (RFC 6902).
import { type PartDifference, partDifferences } from './part-differences.ts';

interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}
export type JsonPatch = readonly PatchOperation[];

const OPERATIONS = { ADDED: 'add', REMOVED: 'remove', CHANGED: 'replace' } as const;

/** The address of a member (RFC 6901, 3). */
const pointerTo = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The operations that make the first of what was compared the second (RFC 6902, 4). */
export const jsonPatchOf = (parts: readonly Pick<PartDifference, 'path' | 'kind' | 'after'>[]): JsonPatch =>
  parts.map(({ path, kind, after }) => ({
    op: OPERATIONS[kind],
    path: pointerTo(path),
    ...(kind === 'REMOVED' ? {} : { value: after }),
  }));

/** Members of deeper objects, with the long names of those around them, could take many times what the documents do. */
const DEPTH = 2;

/** What makes one document another: members of both, and of objects in these, are replaced as a whole. */
export const patchBetween = (before: unknown, after: unknown): JsonPatch =>
  jsonPatchOf(partDifferences(before, after, DEPTH));
