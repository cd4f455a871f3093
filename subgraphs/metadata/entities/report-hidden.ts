// Logs at start which entities only callers of all projects can see, because their project is not valid.
import type { Logger } from 'pino';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { typesWithFaultyProject } from '../schema-model/project-field.ts';
import { UNREADABLE_PROJECT } from './project-of.ts';

/**
 * Warns of schemas that were registered before `project` had to be one text, and of entities without a valid
 * project.
 * @param entitiesOf the number of entities of each type in a project
 */
export async function reportHidden(
  catalogue: SchemaCatalogue,
  entitiesOf: (project: string) => Promise<Readonly<Record<string, number>>>,
  log: Logger,
): Promise<void> {
  const schemas = typesWithFaultyProject(catalogue);
  if (schemas.length > 0)
    log.warn(
      { schemas },
      'these schemas do not declare `project` as a single string: register a version that does, or rename the field',
    );
  const hidden = await entitiesOf(UNREADABLE_PROJECT);
  if (Object.keys(hidden).length > 0)
    log.warn(
      { hidden },
      `the project of some entities cannot be read: only actors with access to all projects see them (list them with the filter \`project == "${UNREADABLE_PROJECT}"\`) until their project is a single string`,
    );
}
