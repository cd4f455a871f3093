// Random histories of runs, triggers, rules and productions, written by the statements that the product writes with.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Acting } from '../../platform/acting.ts';
import { rightsOf, runsAs } from './past-writers.ts';
import {
  insertVersion,
  markDeprecated,
  supersede,
  findActiveVersion,
  holdingName,
} from '../../subgraphs/artifact/registration/registration.store.ts';
import { addWaiter, removeWaiter } from '../../subgraphs/artifact/productions/production-waiters.store.ts';
import { adoptProduction } from '../../subgraphs/artifact/productions/production-askers.store.ts';
import {
  claimIdentities,
  settleIdentities,
} from '../../subgraphs/artifact/production-worker/identities.store.ts';
import * as productions from '../../subgraphs/artifact/productions/production-queue.store.ts';
import { allowReuse, refuseReuse } from '../../subgraphs/artifact/reuse/reuse.store.ts';
import * as queue from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { endPause, insertPause } from '../../subgraphs/workflow/triggers/pauses.store.ts';
import { noteResult } from '../../subgraphs/workflow/run-records/trigger-result.store.ts';
import { noteProblem, rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';

export type Random = (below: number) => number;

/** The same numbers for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => {
  const one = from[random(from.length)];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
};

export const ENTITIES = ['e1', 'e2', 'e3', 'e4'];
const NAMES = ['nightly', 'by-hand', 'from-lab'];
const PROJECTS = ['alpha', 'beta', null];
const WORKFLOW = 'sha256:aa';
const COUNTS = { fetched: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
const acting = (project: string | null): Acting => rightsOf(project);

/** One writer of several: they share the rows, and get in each other's way. */
export class Writer {
  readonly #pool: Pool;
  readonly #random: Random;
  readonly #owner: string;
  #runs: queue.ClaimedRun[] = [];
  #made: productions.ClaimedProduction[] = [];
  readonly #steps: readonly (() => Promise<unknown>)[];

  constructor(pool: Pool, random: Random, owner: string) {
    [this.#pool, this.#random, this.#owner] = [pool, random, owner];
    this.#steps = [
      () => this.#queueRun(),
      () => this.#queueRun(),
      () => this.#claimRuns(),
      () => this.#renewRun(),
      () => this.#endRun(),
      () => this.#trigger(),
      () => this.#rule(),
      () => this.#request(),
      () => this.#claim(),
      () => this.#progress(),
      () => this.#finish(),
      () => this.#waiters(),
      () => this.#reuse(),
    ];
  }

  step(): Promise<unknown> {
    return pick(this.#random, this.#steps)();
  }

  #of<T>(from: readonly T[]): T {
    return pick(this.#random, from);
  }

  #queueRun(): Promise<void> {
    const triggerName = this.#of([...NAMES, null]);
    return queue.insertRun(
      this.#pool,
      {
        id: randomUUID(),
        triggerName,
        triggerType: triggerName === null ? null : 'schedule',
        adapter: 'samples',
        action: { type: 'ingest', adapter: 'samples' },
        cause: { tick: '2026-01-31T03:00:00Z' },
        causedBy: 'tick:1',
        requestId: null,
        actor: 'service:workflow',
        acting: acting(this.#of(PROJECTS)),
        configuration: null,
      },
      this.#random(6) === 0 ? 'skipped' : 'queued',
    );
  }

  async #claimRuns(): Promise<void> {
    const claimant = { owner: this.#owner, configuration: null };
    this.#runs.push(...(await queue.claimRuns(this.#pool, claimant, { most: 2, leaseMs: 60_000 })));
  }

  async #renewRun(): Promise<void> {
    const run = this.#runs[0];
    if (run === undefined) return;
    const fetched = this.#random(4);
    await queue.renewRun(this.#pool, run, 60_000, { ...COUNTS, fetched, created: this.#random(fetched + 1) });
    await queue.insertRunEntities(this.#pool, run.id, [this.#of(ENTITIES), this.#of(ENTITIES)]);
  }

  async #endRun(): Promise<void> {
    const run = this.#runs.shift();
    if (run === undefined) return;
    const error = { type: 'Broken', message: `by ${this.#owner}` };
    if (this.#random(5) === 0) return void (await queue.cancelRun(this.#pool, run.id, error));
    if (this.#random(5) === 0)
      return queue.giveBackRuns(
        this.#pool,
        this.#owner,
        this.#runs.map(({ id }) => id),
      );
    await inTransaction(this.#pool, async (db) => {
      if (this.#random(4) === 0)
        return void (await queue.requeueRun(db, run, { attempts: 3, backoff: 0 }, [error]));
      const status = this.#of(['success', 'partial_success', 'failed'] as const);
      await queue.finishRun(
        db,
        run,
        { status, errors: status === 'success' ? [] : [error], unresolved: [] },
        'Sample',
      );
      if (run.triggerName !== null)
        await noteResult(db, runsAs(run.triggerName), status, status === 'failed' ? error.message : null);
    });
  }

  async #trigger(): Promise<void> {
    const name = this.#of(NAMES);
    switch (this.#random(5)) {
      case 0:
        return insertPause(this.#pool, name, 'user:ada', this.#of(['holiday', null]));
      case 1:
        return endPause(this.#pool, name);
      case 2:
        return void (await noteProblem(this.#pool, name, this.#of(['away', null])));
      default:
        return rememberTriggers(
          this.#pool,
          NAMES.filter(() => this.#random(5) > 0).map((one) => runsAs(one, this.#random(3))),
        );
    }
  }

  async #rule(): Promise<void> {
    const name = this.#of(['stats', 'align', 'own']);
    const scope = name === 'own' ? 'user:vera' : 'global';
    await holdingName(this.#pool, name, async (db) => {
      const active = await findActiveVersion(db, name);
      if (active !== null && this.#random(3) === 0)
        return markDeprecated(db, name, active.version, 'use another');
      const definition = {
        name,
        produces: { entity_type: this.#of(['Stats', 'Report']) },
        execute: { cwl_url: `https://example.org/${this.#random(9)}.cwl` },
      };
      const version = {
        definition: definition as never, // what of it is answered is answered as it is
        scope,
        cwlHash: 'sha256:00',
        workflowHash: WORKFLOW,
        registeredBy: 'user:rita',
        isStatic: false,
        causedBy: null,
      };
      if (active !== null) await supersede(db, name, active.version);
      await insertVersion(db, version, 'active', active?.version ?? null);
    });
  }

  async #request(): Promise<void> {
    const id = randomUUID();
    const project = this.#of(PROJECTS);
    const caller = { actor: this.#of(['user:vera', 'user:ada']), roles: ['analyst'], projects: '*' as const };
    await inTransaction(this.#pool, async (db) => {
      const isNew = await productions.insertProduction(db, {
        id,
        requestKey: `key ${this.#random(6)}`,
        entityType: this.#of(['Stats', 'Report']),
        criteria: project === null ? {} : { project },
        parameters: { k: this.#random(3) },
        requestedRule: null,
        reuse: 'any',
        rule: this.#of(['stats@1', 'stats@2', null]),
        plan: { decision: 'build', projects: project === null ? [] : [project], n: this.#random(9) },
        planHash: 'sha256:00',
        requestId: randomUUID(),
        caller,
      });
      if (isNew) await addWaiter(db, id, caller.actor, caller);
    });
  }

  async #claim(): Promise<void> {
    this.#made.push(...(await productions.claimProductions(this.#pool, this.#owner, 60_000, 2)));
  }

  async #progress(): Promise<void> {
    const production = this.#made[0];
    if (production === undefined) return;
    const line = `${'x'.repeat(this.#random(30))} ${this.#random(100)} 𝒳\n`;
    const log = `${this.#log.get(production.id) ?? ''}${line}`;
    const kept = log.length > 120 ? `[…]\n${log.slice(-120).toWellFormed()}` : log; // as logs of tools are kept
    this.#log.set(production.id, log);
    await productions.renewProduction(this.#pool, production, 60_000, kept);
    if (this.#random(3) === 0)
      await productions.noteRun(this.#pool, production, {
        rule: `stats@${1 + this.#random(2)}`,
        plan: { decision: 'build', projects: [], n: this.#random(9) },
        runner: 'cwltool 3',
        inputs: { n: this.#random(3) },
      });
    if (this.#random(4) === 0)
      await adoptProduction(this.#pool, production.id, { actor: 'user:zoe', roles: [], projects: '*' });
  }

  readonly #log = new Map<string, string>();

  async #finish(): Promise<void> {
    const production = this.#made.shift();
    if (production === undefined) return;
    if (this.#random(4) === 0)
      return void (await productions.cancelProduction(this.#pool, production.id, { code: 'cancelled' }));
    if (this.#random(5) === 0) return productions.giveBackProduction(this.#pool, production);
    await inTransaction(this.#pool, async (db) => {
      const entity = this.#of(ENTITIES);
      const key = { entityType: 'Stats', project: '', digest: `d${this.#random(3)}` };
      await claimIdentities(db, [{ ...key, entityId: this.#of(ENTITIES) }], production.id);
      await settleIdentities(db, [{ ...key, entityId: entity }], production.id);
      const status = this.#random(4) === 0 ? 'failed' : 'completed';
      const result: productions.ProductionResult = {
        status,
        produced: status === 'failed' ? [] : [{ entity_type: 'Stats', entity_id: entity }],
        error: status === 'failed' ? { code: 'failed', message: 'it broke' } : null,
        log: this.#of([null, 'the end']),
      };
      await productions.finishProduction(db, production, result, production.reuse);
    });
  }

  async #waiters(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string }>(
      'SELECT id FROM artifact.production ORDER BY random() LIMIT 1',
    );
    const id = rows[0]?.id;
    if (id === undefined) return;
    const who = this.#of(['user:vera', 'user:zoe', 'production:p 1']);
    await inTransaction(this.#pool, async (db) =>
      this.#random(2) === 0
        ? void (await removeWaiter(db, id, who))
        : addWaiter(db, id, who, { actor: who, roles: [], projects: '*' }),
    );
  }

  #reuse(): Promise<void> {
    const entity = this.#of(ENTITIES);
    return this.#random(2) === 0
      ? refuseReuse(this.#pool, entity, this.#of(['bad', 'worse']), 'user:ada')
      : allowReuse(this.#pool, entity);
  }
}

/** What rules refer to. */
export const prepareHistory = async (pool: Pool): Promise<void> => {
  await pool.query(`INSERT INTO artifact.workflow (hash, parsed, documents) VALUES ($1, '{}', '[]')`, [
    WORKFLOW,
  ]);
};
