// Applies JSON Patches as RFC 6902 says, for tests of those that the platform makes.

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

type Members = Record<string, unknown>;

function membersOf(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${path}: no object to change`);
  return value as Members; // checked above
}

/** @throws Error for an `add` of what is there, and for any other operation on what is not */
export function applyPatch(document: unknown, patch: readonly PatchOperation[]): unknown {
  const result: unknown = structuredClone(document);
  for (const { op, path, value } of patch) {
    const [, ...names] = path.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop();
    if (last === undefined) throw new Error(`${path}: a whole document is never replaced`);
    const inner = names.reduce<unknown>((whole, name) => membersOf(whole, path)[name], result);
    const members = membersOf(inner, path);
    if (Object.hasOwn(members, last) !== (op !== 'add')) throw new Error(`${op} ${path}: not as expected`);
    if (op === 'remove') delete members[last];
    else
      Object.defineProperty(members, last, { value, configurable: true, enumerable: true, writable: true });
  }
  return result;
}
