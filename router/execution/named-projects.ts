// The projects that an operation names in its root fields' arguments (docs/reference/gateway.md#projects),
// for the project check before any component is called.
import { valueFromASTUntyped } from 'graphql';
import type { RootField } from './root-fields.ts';

/**
 * Arguments that are, or contain, a project: `project` itself, or objects with `project` or `data.project`.
 */
const CARRIERS: ReadonlySet<string> = new Set([
  'project',
  'data',
  'input',
  'inputs',
  'entity',
  'entities',
  'items',
  'item',
  'criteria',
]);

export type NamedProjects = (variables: Readonly<Record<string, unknown>>) => readonly string[];

const NONE: readonly string[] = [];

function projectsOf(value: unknown, found: Set<string>, depth: number): void {
  if (Array.isArray(value)) {
    for (const item of value) projectsOf(item, found, depth);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  // Any object may have these keys; their values stay unknown.
  const { project, data } = value as { project?: unknown; data?: unknown };
  if (typeof project === 'string') found.add(project);
  if (depth > 0) projectsOf(data, found, depth - 1);
}

export function compileNamedProjects(fields: readonly RootField[]): NamedProjects {
  const carriers = fields.flatMap(({ node }) =>
    (node.arguments ?? []).filter((a) => CARRIERS.has(a.name.value)),
  );
  if (carriers.length === 0) return () => NONE;
  return (variables) => {
    const found = new Set<string>();
    for (const { name, value: node } of carriers) {
      const value: unknown = valueFromASTUntyped(node, variables);
      if (name.value === 'project' && typeof value === 'string') found.add(value);
      projectsOf(value, found, 1);
    }
    return [...found];
  };
}
