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
import { crateResolvers } from './crates/crates.resolvers.ts';
import { CrateService } from './crates/crates.service.ts';
import { fetchCwl } from './cwl-source/fetch-cwl.ts';
import { addressCheck } from './cwl-source/public-addresses.ts';
import { fileResolvers } from './files/files.resolvers.ts';
import { FileService } from './files/files.service.ts';
import { artifactPermissions } from './permissions.ts';
import type { AskPlatform } from './platform-port.ts';
import { productionResolvers } from './productions/productions.resolvers.ts';
import { createProductions } from './making/create-productions.ts';
import { ProductionRequestService } from './productions/production-requests.service.ts';
import { ProductionService } from './productions/productions.service.ts';
import { registrationResolvers } from './registration/registration.resolvers.ts';
import { type RegistrationMeans, RegistrationService } from './registration/registration.service.ts';
import { createStaticRules } from './registration/static-rules.ts';
import { resolutionResolvers } from './resolution/resolution.resolvers.ts';
import { type ResolutionMeans, ResolutionService } from './resolution/resolution.service.ts';
import { RuleBook } from './resolution/rule-book.ts';
import { refusalReader, ReuseService } from './reuse/reuse.service.ts';
import { imageNote } from './runners/containers.ts';
import { networkNote } from './runners/network.ts';
import { ruleResolvers } from './rules/rules.resolvers.ts';
import { RuleService } from './rules/rules.service.ts';
import { listUnknownWorkflows } from './rules/rules.store.ts';

export interface ArtifactOptions {
  readonly database: Pick<Database, 'pool' | 'listen'>;
  readonly log: Logger;
  /** The platform's schema, as somebody: schemas and entities are metadata's. */
  readonly ask: AskPlatform;
  readonly settings: Config['artifact'];
  /** Where runs have their directories: of this machine. */
  readonly workDirectory: string;
}

export interface ArtifactComponent extends LocalComponent {
  /** Registers the rules of the configured packages and takes up productions, once the platform answers. */
  begin(): Promise<void>;
}

const SDL_FILES = [
  'schema.graphql',
  'rules/rules.graphql',
  'registration/registration.graphql',
  'resolution/resolution.graphql',
  'productions/productions.graphql',
  'files/files.graphql',
  'crates/crates.graphql',
];
const readSdl = (): string =>
  SDL_FILES.map((file) => readFileSync(path.join(projectRoot, 'subgraphs/artifact', file), 'utf8')).join(
    '\n',
  );

export function createArtifactComponent({
  database: { pool, listen },
  log,
  ask,
  settings,
  workDirectory,
}: ArtifactOptions): ArtifactComponent {
  const mayConnect = addressCheck(settings.allowNetworks, settings.denyNetworks);
  const {
    runner,
    crates: { license, licenseName, publisher },
  } = settings;
  const crateSettings = {
    license: license === undefined ? null : { url: license, name: licenseName ?? license },
    publisher: publisher ?? null,
  };
  const planning: ResolutionMeans = {
    db: pool,
    ask,
    book: new RuleBook(pool),
    refusals: refusalReader(pool),
    runNote: ({ demands }) =>
      runner.type === 'cwltool'
        ? [imageNote(demands, runner), networkNote(demands, runner)]
            .filter((note) => note !== null)
            .join('; ') || null
        : null,
  };
  const productions = createProductions({ pool, listen, ask, planning, settings, workDirectory, log });
  const { storage } = productions;
  const means: RegistrationMeans = {
    pool,
    ask,
    allowance: settings,
    fetch: (url) => fetchCwl(url, { mayConnect }),
  };
  const registrationOf = (caller: Caller, rules = new RuleService(pool, caller)): RegistrationService =>
    new RegistrationService(means, caller, rules);
  const packaged = createStaticRules(settings.rules, registrationOf, log);
  const component = createLocalComponent<ArtifactContext>({
    name: 'artifact',
    typeDefs: readSdl(),
    resolvers: {
      ...ruleResolvers,
      ...registrationResolvers,
      ...resolutionResolvers,
      ...productionResolvers,
      ...fileResolvers,
      Mutation: {
        ...registrationResolvers.Mutation,
        ...productionResolvers.Mutation,
        ...fileResolvers.Mutation,
      },
      Query: {
        ...ruleResolvers.Query,
        ...resolutionResolvers.Query,
        ...productionResolvers.Query,
        ...fileResolvers.Query,
        ...crateResolvers.Query,
      },
    },
    permissions: artifactPermissions,
    context: (caller) => {
      const rules = new RuleService(pool, caller);
      const resolution = new ResolutionService(planning, caller, rules);
      const found = new ProductionService(pool, caller);
      return {
        caller,
        extensions: {},
        rules,
        registration: registrationOf(caller, rules),
        resolution,
        productions: found,
        requests: new ProductionRequestService(productions, caller, resolution, found),
        reuse: new ReuseService(pool, ask, caller),
        files: new FileService(pool, storage, caller),
        crates: new CrateService(pool, ask, caller, found, rules, crateSettings),
      };
    },
    isReady: () => answers(pool),
    log,
  });
  return {
    ...component,
    async begin() {
      await packaged.begin();
      const unknown = await listUnknownWorkflows(pool);
      if (unknown.length > 0)
        log.warn(
          { rules: unknown },
          'it is not known what the workflows of these rules consist of: they are not run until they are registered again',
        );
      await productions.begin();
    },
    async close() {
      packaged.close();
      await productions.close();
      await component.close();
    },
  };
}
