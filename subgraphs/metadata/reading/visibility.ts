// SQL of what an actor sees: shared entities and those of its own projects
// (docs/reference/metadata.md#visibility).
import type { Identity } from '../../../platform/identity.ts';

/**
 * A condition over the alias of an entity-like relation; appends its parameters. `true` for actors of every
 * project.
 */
export function visibleSql(identity: Pick<Identity, 'projects'>, alias: string, params: unknown[]): string {
  if (identity.projects === '*') return 'true';
  params.push(identity.projects);
  return `(${alias}.project IS NULL OR ${alias}.project = ANY($${params.length}::text[]))`;
}

/** The same rule in memory. */
export const isVisible = (identity: Pick<Identity, 'projects'>, project: string | null): boolean =>
  project === null || identity.projects === '*' || identity.projects.includes(project);
