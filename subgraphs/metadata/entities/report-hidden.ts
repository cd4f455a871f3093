// Says at start what nobody but those of all projects can see, because its project cannot be read.
import type { Logger } from 'pino';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { typesWithFaultyProject } from '../schemas/project-field.ts';
import { UNREADABLE_PROJECT } from './project-of.ts';

/**
 * Warns of schemas that were registered before `project` had to be one text, and of entities whose project is
 * none.
 * @param entitiesOf how many entities of each type belong to a project
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
      'these schemas declare `project` as something else than one text: register a version that does, or give the field another name',
    );
  const hidden = await entitiesOf(UNREADABLE_PROJECT);
  if (Object.keys(hidden).length > 0)
    log.warn(
      { hidden },
      `the project of some entities cannot be read: only actors of all projects see them (they are listed by the filter \`project == "${UNREADABLE_PROJECT}"\`), until their project is one text`,
    );
}
