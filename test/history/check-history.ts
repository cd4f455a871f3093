// Checks a history of reads and writes of entities for linearizability per entity, which versions make cheap.

/**
 * One request and its answer, in milliseconds of one clock. `value` was written or read; a write with an
 * unknown outcome has no `version`.
 */
export interface Operation {
  readonly kind: 'read' | 'write';
  readonly entity: string;
  readonly value: number;
  readonly version?: number;
  readonly begun: number;
  readonly ended: number;
}

/** The final log: the value of every version. */
export type States = ReadonlyMap<string, readonly number[]>;

/**
 * Violations, as text; empty if there are none: a version has one value, that of the log; no acknowledged
 * write is missing; no write is acknowledged under two versions; an operation that begins after another has
 * ended sees its version or a later one, and a write gets a later one.
 */
export function violationsOf(operations: readonly Operation[], states: States): string[] {
  const found: string[] = [];
  const known = operations.filter((one): one is Operation & { version: number } => one.version !== undefined);
  for (const { kind, entity, value, version } of known) {
    const stored = states.get(entity)?.[version - 1];
    if (stored !== value)
      found.push(`${entity}: a ${kind} says that version ${version} is ${value}, the log says ${stored}`);
  }
  const writes = new Map<string, number>();
  for (const { kind, entity, value, version } of known) {
    if (kind !== 'write') continue;
    const other = writes.get(`${entity} ${value}`);
    if (other !== undefined && other !== version)
      found.push(`${entity}: ${value} was acknowledged as version ${other} and ${version}`);
    writes.set(`${entity} ${value}`, version);
  }
  for (const one of byEntity(known).values()) found.push(...orderViolations(one));
  return found;
}

/** In order of time: each operation against the latest version that was acknowledged before it began. */
function orderViolations(operations: readonly (Operation & { version: number })[]): string[] {
  const found: string[] = [];
  const ended = [...operations].sort((a, b) => a.ended - b.ended);
  let next = 0;
  let latest = 0;
  for (const one of [...operations].sort((a, b) => a.begun - b.begun)) {
    for (let other = ended[next]; other !== undefined && other.ended < one.begun; other = ended[++next])
      latest = Math.max(latest, other.version);
    const isLate = one.kind === 'write' ? one.version <= latest : one.version < latest;
    if (isLate)
      found.push(
        `${one.entity}: a ${one.kind} that began at ${one.begun} got version ${one.version}, after version ${latest} had been told`,
      );
  }
  return found;
}

function byEntity<Item extends Operation>(operations: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const one of operations) {
    const group = groups.get(one.entity);
    if (group === undefined) groups.set(one.entity, [one]);
    else group.push(one);
  }
  return groups;
}
