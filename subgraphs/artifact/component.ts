// Assembles the artifact subgraph as a component of this process.
import type { Logger } from 'pino';
import type { StandingRights } from '../../platform/acting.ts';
import type { Database } from '../../platform/database/connect.ts';
import { answers } from '../../platform/queryable.ts';
import { contextsOver } from '../../platform/subgraph-module.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import type { ArtifactDeps, ArtifactNoun } from './noun.ts';
import { ARTIFACT_NOUNS, type ArtifactContext } from './nouns.ts';
import { createProductions } from './production-worker/create-productions.ts';
import { registrationDeps } from './registration/registration-deps.ts';
import { RegistrationService } from './registration/registration.service.ts';
import { createStaticRules } from './registration/static-rules.ts';
import { planningDeps } from './planning/planning.ts';
import { openUploads } from './uploads/open-uploads.ts';
import { RuleService } from './rules/rules.service.ts';
import { listUnknownWorkflows } from './rules/rules.store.ts';

export interface ArtifactOptions extends Pick<ArtifactDeps, 'ask' | 'settings' | 'publicUrl'> {
  readonly database: Pick<Database, 'pool' | 'listen'>;
  readonly log: Logger;
  /** Computes the remaining rights of a production's requester. */
  readonly standing: StandingRights;
  /** The local directory of runs. */
  readonly workDirectory: string;
}

export interface ArtifactComponent extends LocalComponent {
  /**
   * Registers the rules of the configured packages and starts working productions, once the platform answers.
   */
  begin(): Promise<void>;
}

export function createArtifactComponent(options: ArtifactOptions): ArtifactComponent {
  const {
    database: { pool, listen },
    log,
    ask,
    settings,
    publicUrl,
  } = options;
  const planning = planningDeps(pool, ask, settings, publicUrl);
  const productions = createProductions({ ...options, pool, listen, planning });
  const receiving = openUploads({ ...options, pool, storage: productions.storage });
  const registering = registrationDeps({ pool, ask, settings });
  const packaged = createStaticRules(
    settings.rules,
    (caller) => new RegistrationService(registering, caller, new RuleService(pool, caller)),
    log,
  );
  const nouns: readonly ArtifactNoun<object, ArtifactContext>[] = ARTIFACT_NOUNS;
  const contextOf = contextsOver(nouns, {
    pool,
    ask,
    settings,
    publicUrl,
    planning,
    productions,
    receiving,
  });
  const component = createLocalComponent({
    name: 'artifact',
    modules: nouns,
    context: (caller) => contextOf(caller, {}),
    isReady: () => answers(pool),
    log,
  });
  return {
    ...component,
    content: ({ hash, ...part }) => productions.storage.content(hash, part),
    receive: (part, content, caller, stop) => receiving.receiver.receive(part, content, caller, stop),
    async begin() {
      receiving.begin();
      await packaged.begin();
      const unknown = await listUnknownWorkflows(pool);
      if (unknown.length > 0)
        log.warn(
          { rules: unknown },
          'the documents of the workflows of these rules are not known: the rules are not used until they are registered again',
        );
      await productions.begin();
    },
    async close() {
      packaged.close();
      receiving.close();
      await productions.close();
      await component.close();
    },
  };
}
