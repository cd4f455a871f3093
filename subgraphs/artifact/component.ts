// Puts the artifact subgraph together as a component of this process.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/identity.ts';
import { answers } from '../../platform/queryable.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import type { ArtifactContext } from './context.ts';
import { fetchCwl } from './cwl-source/fetch-cwl.ts';
import { addressCheck } from './cwl-source/public-addresses.ts';
import { fileResolvers } from './files/files.resolvers.ts';
import { FileService } from './files/files.service.ts';
import { artifactPermissions } from './permissions.ts';
import type { AskPlatform } from './platform-port.ts';
import { productionResolvers } from './productions/productions.resolvers.ts';
import { ProductionService } from './productions/productions.service.ts';
import { registrationResolvers } from './registration/registration.resolvers.ts';
import { type RegistrationMeans, RegistrationService } from './registration/registration.service.ts';
import { createStaticRules } from './registration/static-rules.ts';
import { resolutionResolvers } from './resolution/resolution.resolvers.ts';
import { ResolutionService } from './resolution/resolution.service.ts';
import { ruleResolvers } from './rules/rules.resolvers.ts';
import { RuleService } from './rules/rules.service.ts';

export interface ArtifactOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly log: Logger;
  /** The platform's schema, as somebody: schemas and entities are metadata's. */
  readonly ask: AskPlatform;
  readonly settings: Pick<Config['artifact'], 'rules' | 'allowNetworks' | 'allowedImages' | 'limits'>;
}

export interface ArtifactComponent extends LocalComponent {
  /** Registers the rules of the configured packages, once the platform answers. Never rejects. */
  begin(): Promise<void>;
}

const SDL_FILES = ['schema.graphql', 'rules/rules.graphql', 'registration/registration.graphql', 'resolution/resolution.graphql', 'productions/productions.graphql', 'files/files.graphql'];
const readSdl = (): string => SDL_FILES.map((file) => readFileSync(path.join(projectRoot, 'subgraphs/artifact', file), 'utf8')).join('\n');

export function createArtifactComponent({ database: { pool }, log, ask, settings }: ArtifactOptions): ArtifactComponent {
  const mayConnect = addressCheck(settings.allowNetworks);
  const means: RegistrationMeans = { pool, ask, allowance: settings, fetch: (url) => fetchCwl(url, { mayConnect }) };
  const registrationOf = (caller: Caller, rules = new RuleService(pool, caller)): RegistrationService => new RegistrationService(means, caller, rules);
  const packaged = createStaticRules(settings.rules, registrationOf, log);
  const component = createLocalComponent<ArtifactContext>({
    name: 'artifact',
    typeDefs: readSdl(),
    resolvers: {
      ...ruleResolvers, ...registrationResolvers, ...resolutionResolvers, ...productionResolvers, ...fileResolvers,
      Query: { ...ruleResolvers.Query, ...resolutionResolvers.Query, ...productionResolvers.Query, ...fileResolvers.Query },
    },
    permissions: artifactPermissions,
    context: (caller) => {
      const rules = new RuleService(pool, caller);
      return {
        caller, extensions: {}, rules, registration: registrationOf(caller, rules), resolution: new ResolutionService({ db: pool, ask }, caller, rules),
        productions: new ProductionService(pool, caller), files: new FileService(pool),
      };
    },
    isReady: () => answers(pool),
    log,
  });
  return {
    ...component,
    begin: () => packaged.begin(),
    async close() {
      packaged.close();
      await component.close();
    },
  };
}
