// Statements that read workflow and artifact as of now and as of an instant.
import type pg from 'pg';
import type { Identity } from '../../platform/identity.ts';
import { finalityOf, forgetPastStates } from '../../platform/past/past.store.ts';
import { findCandidate, listActiveRules } from '../../subgraphs/artifact/planning/candidates.store.ts';
import { productionChangesAfter } from '../../subgraphs/artifact/productions/production-changes.store.ts';
import * as productions from '../../subgraphs/artifact/productions/productions.store.ts';
import { findParameters, findRefusals } from '../../subgraphs/artifact/reuse/reuse.store.ts';
import * as rules from '../../subgraphs/artifact/rules/rules.store.ts';
import { findImagesNow } from '../../subgraphs/artifact/staleness/image-now.store.ts';
import { EntityRuns } from '../../subgraphs/workflow/run-records/entity-runs.ts';
import { runChangesAfter } from '../../subgraphs/workflow/run-records/run-changes.store.ts';
import * as runs from '../../subgraphs/workflow/run-records/runs.store.ts';
import { lastChange } from '../../platform/past/changes.ts';
import { readPastTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';

const THEN = '2026-01-01T00:00:00.000000Z';
const AFTER = { limit: 1, offset: 0, after: [THEN, 'a'] };
const SCOPED: Identity = { actor: 'user:x', roles: ['viewer'], projects: ['p'] };
const VIEWER = { actor: 'user:x', seesAll: false };

export async function readPast(pool: pg.Pool): Promise<void> {
  await readPastTriggers(pool, THEN, ['t']);
  await readPastTriggers(pool, THEN, null);
  for (const schema of ['workflow', 'artifact'] as const) {
    await finalityOf(pool, schema, THEN).catch(() => undefined); // it takes it that there is a row
    await forgetPastStates(pool, schema, 36_500, 1);
  }
  await runChangesAfter(pool, ['p'], THEN, { trigger: 't', project: 'p' }).catch(() => undefined);
  await productionChangesAfter(pool, ['p'], THEN, { entityType: 'T', project: 'p' }).catch(() => undefined);
  await lastChange(pool, runs.RUN);
  for (const asOf of [null, THEN]) {
    const among = { since: THEN, until: THEN, causedBy: 'run:a', requestId: 'a', error: 'e' };
    const query = { ...AFTER, ...among, status: 'failed', project: 'p', asOf } as const;
    await runs.findRun(pool, ['p'], 'r', asOf);
    await runs.listRuns(pool, ['p'], 't', query);
    await runs.listRunsOfTriggers(pool, ['p'], ['t'], query);
    await runs.countRuns(pool, ['p'], query);
    await runs.countRunsOfTriggers(pool, ['p'], ['t'], query);
    await runs.listEntitiesOfRuns(pool, ['r'], query);
    await runs.listRunsOfEntities(pool, ['p'], ['a'], query);
    await new EntityRuns(pool).of('a', query, SCOPED, asOf).catch(() => undefined);
    const filter = { status: 'active', name: 'n', scope: 'global', project: 'p', asOf } as const;
    await rules.listRules(pool, VIEWER, filter, { ...AFTER, after: ['a', 1] });
    await rules.countRules(pool, VIEWER, filter);
    await rules.findCurrentRule(pool, VIEWER, 'n', asOf);
    await rules.findRules(pool, VIEWER, [{ name: 'n', version: 1 }], asOf);
    await listActiveRules(pool, 'T', asOf);
    await findCandidate(pool, 'n', 1, 'user:x', asOf);
    const made = {
      entityType: 'T',
      status: 'failed',
      rule: 'n@1',
      project: null,
      requestId: 'r',
      asOf,
    } as const;
    await productions.findProduction(pool, ['p'], 'p', asOf);
    await productions.listProductions(pool, ['p'], made, AFTER);
    await productions.listProductions(pool, ['p'], { ...made, project: 'p' }, AFTER);
    await productions.countProductions(pool, ['p'], made);
    await productions.listPlans(pool, ['p'], asOf);
    await productions.listProductionsOfEntities(pool, ['p'], ['e'], asOf);
    await findRefusals(pool, ['e'], asOf);
    await findParameters(pool, ['e'], asOf);
    await findImagesNow(pool, ['i'], asOf);
  }
}
