// Finds circular dependencies between steps.

/** A step and its sources: `step/output`, or an input of the workflow. */
export interface Dependent {
  readonly name: string;
  readonly sources: readonly string[];
}

/**
 * Each circle once, as names of steps with the first one repeated at the end. `prefix` is the workflow's own
 * id, which sources may begin with.
 */
export function findCircles(steps: readonly Dependent[], prefix = ''): string[][] {
  const own = (source: string): string =>
    prefix !== '' && source.startsWith(`${prefix}/`) ? source.slice(prefix.length + 1) : source;
  const needs = new Map(
    steps.map(({ name, sources }) => [
      name,
      [
        ...new Set(
          sources
            .map(own)
            .filter((source) => source.includes('/'))
            .map((source) => source.slice(0, source.indexOf('/'))),
        ),
      ],
    ]),
  );
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]): void => {
    const start = trail.indexOf(name);
    if (start >= 0) circles.push([...trail.slice(start), name]);
    if (start >= 0 || done.has(name)) return;
    for (const next of needs.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of needs.keys()) visit(name, []);
  return circles;
}
