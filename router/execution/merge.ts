// Merges the result of a fetch into the known data of an object: a response grows fetch by fetch.

/**
 * A response object under construction. Keys are response keys, of which only `__typename` begins with two
 * underscores.
 */
export type Data = Record<string, unknown>;

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds `source` to `target`, in place: objects key by key, lists item by item, everything else replaced. */
export function mergeInto(target: Data, source: Data): void {
  for (const key in source) {
    const known = Object.hasOwn(target, key) ? target[key] : undefined;
    const brought = source[key];
    if (isData(known) && isData(brought)) mergeInto(known, brought);
    else if (Array.isArray(known) && Array.isArray(brought) && known.length === brought.length)
      mergeLists(known, brought);
    else if (brought !== undefined) assign(target, key, brought);
  }
}

/** JSON may contain keys that plain assignment would take for the prototype. */
function assign(target: Data, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

function mergeLists(target: unknown[], source: readonly unknown[]): void {
  for (const [i, brought] of source.entries()) {
    const known = target[i];
    if (isData(known) && isData(brought)) mergeInto(known, brought);
    else if (Array.isArray(known) && Array.isArray(brought) && known.length === brought.length)
      mergeLists(known, brought);
    else target[i] = brought;
  }
}
