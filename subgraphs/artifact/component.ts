// Puts the artifact subgraph together as a component of this process.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import { answers } from '../../platform/queryable.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import type { ArtifactContext } from './context.ts';
import { fileResolvers } from './files/files.resolvers.ts';
import { FileService } from './files/files.service.ts';
import { artifactPermissions } from './permissions.ts';
import { productionResolvers } from './productions/productions.resolvers.ts';
import { ProductionService } from './productions/productions.service.ts';
import { ruleResolvers } from './rules/rules.resolvers.ts';
import { RuleService } from './rules/rules.service.ts';

export interface ArtifactOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly log: Logger;
}

const SDL_FILES = ['schema.graphql', 'rules/rules.graphql', 'productions/productions.graphql', 'files/files.graphql'];
const readSdl = (): string => SDL_FILES.map((file) => readFileSync(path.join(projectRoot, 'subgraphs/artifact', file), 'utf8')).join('\n');

export function createArtifactComponent({ database, log }: ArtifactOptions): LocalComponent {
  return createLocalComponent<ArtifactContext>({
    name: 'artifact',
    typeDefs: readSdl(),
    resolvers: {
      ...ruleResolvers, ...productionResolvers, ...fileResolvers,
      Query: { ...ruleResolvers.Query, ...productionResolvers.Query, ...fileResolvers.Query },
    },
    permissions: artifactPermissions,
    context: (caller) => ({
      caller, extensions: {},
      rules: new RuleService(database.pool, caller), productions: new ProductionService(database.pool, caller), files: new FileService(database.pool),
    }),
    isReady: () => answers(database.pool),
    log,
  });
}
