// What the artifact subgraph runs beside its operations: productions, uploads, and the rules of configured packages.
import type { Logger } from 'pino';
import type { StandingRights } from '../../platform/acting.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { ArtifactDeps } from './noun.ts';
import { startPastRetention } from './past/past-retention.ts';
import { planningDeps } from './planning/planning.ts';
import { createProductions } from './production-worker/create-productions.ts';
import { registrationDeps } from './registration/registration-deps.ts';
import { RegistrationService } from './registration/registration.service.ts';
import { createStaticRules } from './registration/static-rules.ts';
import { RuleService } from './rules/rules.service.ts';
import { listUnknownWorkflows } from './rules/rules.store.ts';
import { StaleMarks } from './staleness/stale-marks.ts';
import { createStaleness, freshnessBy } from './staleness/create-staleness.ts';
import { openUploads, type Uploads } from './uploads/open-uploads.ts';

export interface ArtifactOptions extends Pick<ArtifactDeps, 'ask' | 'settings' | 'publicUrl'> {
  readonly database: Pick<Database, 'pool' | 'listen'> & Partial<Pick<Database, 'liveness'>>;
  readonly log: Logger;
  /** Computes the remaining rights of a production's requester. */
  readonly standing: StandingRights;
  /** The local directory of runs. */
  readonly workDirectory: string;
}

export interface ArtifactFoundation extends ArtifactDeps {
  readonly receiving: Uploads;
  /**
   * Registers the rules of the configured packages and starts working productions, once the platform answers.
   */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export function createFoundation(options: ArtifactOptions): ArtifactFoundation {
  const {
    database: { pool, listen, liveness },
    log,
    ask,
    settings,
    publicUrl,
  } = options;
  const planned = planningDeps(pool, ask, settings, publicUrl);
  const staleness = createStaleness({ pool, ask, book: planned.book });
  const planning = { ...planned, ...freshnessBy(staleness) };
  const productions = createProductions({ ...options, pool, listen, liveness, planning });
  const marks = new StaleMarks({
    db: pool,
    transact: (work) => inTransaction(pool, work),
    ask,
    staleness,
    images: productions.images,
    log,
  });
  const receiving = openUploads({ ...options, pool, storage: productions.storage });
  const registering = registrationDeps({ pool, ask, settings });
  const packaged = createStaticRules(
    settings.rules,
    (caller) => new RegistrationService(registering, caller, new RuleService(pool, caller)),
    log,
  );
  let endRetention = (): Promise<void> => Promise.resolve();
  return {
    pool,
    listen,
    log,
    ask,
    settings,
    publicUrl,
    planning,
    productions,
    receiving,
    marks,
    staleness,
    async begin() {
      receiving.begin();
      const { pastDays } = settings.retention;
      if (pastDays !== undefined) endRetention = startPastRetention(pool, pastDays, log);
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
      await endRetention();
      packaged.close();
      receiving.close();
      await marks.close();
      await productions.close();
    },
  };
}
