// Executes a production: its requirements first, then its workflow's run, then its entities
// (docs/reference/artifact.md#productions).
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { documentsFrom, findKeptWorkflow, type KeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { addressOf } from '../cwl-source/workflow-identity.ts';
import { NamedFiles } from '../files/named-files.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { noteIngredients, noteInputFiles } from '../productions/production-causes.store.ts';
import { findPin } from '../productions/pinned-plans.store.ts';
import { noteGiven, noteImages, noteRun } from '../productions/production-queue.store.ts';
import { checkDemands } from '../registration/check-demands.ts';
import { type EntitySchema, findSchema } from '../registration/entity-schema.ts';
import type { StoredEntity } from '../planning/entities.ts';
import type { Pin } from '../planning/pinned-plan.ts';
import { type PlanNode, recorded, reusedBy } from '../planning/plan.ts';
import { type Resolution, type ResolutionDeps, ResolutionService } from '../planning/resolution.service.ts';
import { outputsOf } from '../rules/rule-definition.ts';
import { RuleService } from '../rules/rules.service.ts';
import type { Rule } from '../rules/rules.store.ts';
import type { Runner, RunOutcome } from '../runners/runner.ts';
import { type ImageFollower, storedImage } from '../staleness/follow-images.ts';
import type { Storage } from '../storage/storage.service.ts';
import { bindInputs, type BoundInputs } from '../planning/bind-inputs.ts';
import { keepsTo, usesOnly } from './keep-to-plan.ts';
import { MissingRequirements } from './missing-requirements.ts';
import { identified, type IdentifiedEntity } from './produced-entities.ts';
import { ProductionFailed, refusedDemand } from './production-failed.ts';
import type { Produced, ProductionTask } from './production-task.ts';
import { productionContext } from './production-context.ts';
import { readOutputs } from './read-outputs.ts';
import { runElsewhere } from './run-elsewhere.ts';
import { SourceFiles, type SourceDeps } from './source-files.ts';
import type { ProducedWriter } from './write-produced.ts';

export interface ExecutorDeps {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly planning: ResolutionDeps;
  readonly storage: Storage;
  readonly writer: ProducedWriter;
  readonly runner: Runner;
  readonly sources: SourceDeps;
  readonly images: Pick<ImageFollower, 'note'>;
  readonly settings: Pick<Config['artifact'], 'allowedImages' | 'limits' | 'runner'>;
  /** Directory of the runs' directories. */
  readonly workDirectory: string;
}

const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

type Succeeded = Extract<RunOutcome, { readonly ok: true }>;

/** A build in progress: what is run, and where. */
interface Build {
  readonly task: ProductionTask;
  readonly pin: Pin | null;
  readonly plan: PlanNode;
  readonly rule: Rule;
  readonly kept: KeptWorkflow;
  readonly directory: string;
}

const ENTITY_FIELDS = 'id entityType data version isAvailable';
const ENTITY = `query ArtifactInput($id: ID!) { entity(id: $id) { ${ENTITY_FIELDS} } }`;

export class Executor {
  readonly #deps: ExecutorDeps;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  /**
   * @returns its entities, the requested one first
   * @throws ProductionFailed, DomainError, or the reason of `stop`
   */
  async make(
    task: ProductionTask,
    outdated: ReadonlyMap<string, string> = new Map(),
  ): Promise<readonly Produced[]> {
    const pin = await findPin(this.#deps.db, task.id);
    const { plan, entity } = await this.#ready(task, pin, outdated);
    // another production has made it meanwhile
    if (entity !== null) return [{ entity_type: entity.entityType, entity_id: entity.id }];
    const rule = await new RuleService(this.#deps.db, task.requester).version(plan.rule ?? '');
    const kept = rule && (await findKeptWorkflow(this.#deps.db, rule.workflowHash));
    if (!kept)
      throw new ProductionFailed(
        'not_found',
        `the workflow of ${plan.rule ?? 'the rule'} is no longer stored: register the rule again`,
      );
    const [refused] = checkDemands(kept.workflow.demands, this.#deps.settings);
    if (refused) throw refusedDemand(refused);
    const trouble = await this.#deps.runner.imageTrouble(kept.workflow.demands);
    if (trouble !== null) throw new ProductionFailed('runner_unavailable', trouble);
    const directory = path.join(this.#deps.workDirectory, `${task.id}.${task.fence}`);
    await mkdir(directory, { recursive: true });
    try {
      return await this.#build({ task, pin, plan, rule, kept, directory });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /**
   * Where fresh results were asked for after it was planned: what it has made if that is fresh, else made again.
   * @throws as `make`
   */
  async makeFresh(task: ProductionTask, made: readonly Produced[]): Promise<readonly Produced[]> {
    const isStale = await this.#deps.planning.isMadeOfStale(task.id, task.requester);
    if (isStale === false) return made;
    const own = isStale === null ? [] : made; // what somebody else made is looked at as any other
    return this.make(task, new Map(own.map(({ entity_id: id }) => [id, 'was made of what has changed'])));
  }

  /**
   * Plans again when all requirements exist and are held: what was found before the hold may have been
   * evicted, and is planned again.
   */
  async #ready(
    task: ProductionTask,
    pin: Pin | null,
    outdated: ReadonlyMap<string, string>,
  ): Promise<Resolution> {
    const requirements = new MissingRequirements();
    for (;;) {
      task.stop.throwIfAborted();
      const resolver = new ResolutionService(
        this.#deps.planning,
        task.requester,
        new RuleService(this.#deps.db, task.requester),
      );
      const resolution = await resolver.resolve(
        task.entityType,
        task.criteria,
        task.requestedRule,
        task.parameters,
        await task.reuse(),
        outdated,
      );
      if (pin !== null) await keepsTo(this.#deps.ask, pin, resolution, task.requester);
      const node = requirements.next(resolution.plan);
      if (node !== null) await task.require(node, pin);
      else if (!(await this.#deps.storage.hold(task.id, reusedBy(resolution.plan)))) return resolution;
    }
  }

  async #build(build: Build): Promise<readonly Produced[]> {
    const { db, runner, writer } = this.#deps;
    const { task, pin, plan, rule, kept, directory } = build;
    const { workflow } = kept;
    const required = await Promise.all(plan.requires.map((node) => this.#entity(node, task.requester)));
    if (pin !== null) usesOnly(pin, required);
    const texts = new Map(Object.entries({ ...plan.criteria, ...plan.bindings }));
    const bind = (from: readonly StoredEntity[]): BoundInputs =>
      bindInputs(workflow.inputs, { parameters: task.parameters, texts, required: from });
    const { inputs, missing: absent } = bind(required);
    if (absent.length > 0)
      throw new ProductionFailed(
        'inputs_missing',
        `${plan.rule ?? ''} needs ${absent.join(', ')}: give it as a parameter or a criterion, or let the rule require an entity that has it`,
        { inputs: absent },
      );
    const version = await runner.version();
    const runBy = version === null ? runner.name : `${runner.name} ${version}`;
    await noteRun(db, task, { rule: plan.rule, plan: recorded(plan), runner: runBy, inputs });
    await noteIngredients(db, task.id, rule, required);
    const files = new SourceFiles(
      this.#deps.sources,
      task.id,
      path.join(directory, 'inputs'),
      task.stop,
      new NamedFiles(this.#deps.ask, task.requester),
    );
    const outcome = await this.#run(build, inputs, files);
    const containerNote = runner.imageNote(workflow.demands);
    const images = outcome.images.map(storedImage);
    await noteImages(db, task, images);
    await this.#deps.images.note(outcome.images);
    const { entities, schemas } = await this.#identified(build, outcome);
    const context = productionContext(
      {
        production: task.id,
        requestedBy: task.requester.actor,
        parameters: task.parameters,
        plan,
        rule,
        workflow,
        runBy,
        containerNote,
        images,
        inputs,
        inputsFrom: (from) => bind(from).inputs,
        inputFiles: files.given,
        required,
      },
      entities,
    );
    const { stop, stillOurs } = task;
    const written = await writer.write({ production: task.id, entities, schemas, context, stop, stillOurs });
    return written.map(({ item, id }) => ({ entity_type: item.entity_type, entity_id: id }));
  }

  /** Runs the workflow with its files in place. @throws ProductionFailed if it does not succeed */
  async #run(
    { task, rule, kept, directory }: Build,
    bound: BoundInputs['inputs'],
    files: SourceFiles,
  ): Promise<Succeeded> {
    const { db, runner } = this.#deps;
    const { workflow } = kept;
    const inputs = (await files.bring(bound)) as Record<string, unknown>; // An object stays one.
    await noteGiven(db, task, files.given);
    await noteInputFiles(db, task.id, files.given);
    const run = path.join(directory, 'run');
    await mkdir(run);
    const { url, fragment } = addressOf(rule.definition.execute);
    const work = digestOf([
      rule.workflowHash,
      bound,
      files.given.map(({ location, hash }) => canonicalJson([location, hash])).sort(),
    ]);
    const outcome = await runner.run(
      {
        elsewhere: await runElsewhere(this.#deps, task, { rule: rule.name, work }),
        id: `${task.id}.${task.fence}`,
        main: fragment === '' ? url : `${url}#${fragment}`,
        version: workflow.version,
        documents: documentsFrom(url, kept),
        inputs,
        network: workflow.demands.network,
        images: workflow.demands,
        onLog: task.onLog,
      },
      run,
      task.stop,
    );
    task.onLog(outcome.log);
    if (outcome.ok) return outcome;
    const details = outcome.said === '' ? {} : { stderr: outcome.said };
    throw new ProductionFailed(outcome.fault, outcome.message, details);
  }

  /** The entities of the outputs, with their ids, and the schemas of their types. */
  async #identified(
    { task, plan, rule, kept, directory }: Build,
    outcome: Succeeded,
  ): Promise<{ entities: readonly IdentifiedEntity[]; schemas: ReadonlyMap<string, EntitySchema> }> {
    const { ask, settings, storage } = this.#deps;
    const made = await readOutputs(outputsOf(rule.definition), kept.workflow.outputs, outcome.outputs, {
      directory: outcome.directory,
      scratch: directory,
      limits: { bytes: settings.limits.disk, entries: settings.limits.files },
      stop: task.stop,
      keep: (file, mediaType) => storage.keep(file, task.id, mediaType),
    });
    const types = [...new Set(made.map(({ item }) => item.entity_type))];
    const [wanted, ...found] = await Promise.all(
      [task.entityType, ...types].map((type) => findSchema(ask, type, task.requester)),
    );
    const schemas = new Map(
      found.flatMap((schema, i) => (schema ? [[types[i] ?? schema.name, schema] as const] : [])),
    );
    const entities = identified(made, {
      productionId: task.id,
      entityType: task.entityType,
      types: [task.entityType, ...(wanted?.subtypes ?? [])],
      criteria: new Map(Object.entries(plan.criteria)),
      bindings: new Map(Object.entries(plan.bindings)),
      requester: task.requester,
      schemas,
    });
    return { entities, schemas };
  }

  /** Ends the processes of a production's run that a killed process has left on this machine. */
  async clear(directory: string): Promise<void> {
    await this.#deps.runner.clear?.(path.join(directory, 'run'));
  }

  /** Ends the remote run of a production that has ended; false if its service did not answer. */
  async abandon(run: string): Promise<boolean> {
    return (await this.#deps.runner.abandon?.(run)) ?? true;
  }

  async #entity({ entity_id: id }: PlanNode, caller: Caller): Promise<StoredEntity> {
    const found =
      id === null
        ? null
        : await question<StoredEntity | null>(this.#deps.ask, ENTITY, 'entity', { id }, caller);
    if (!found) throw new ProductionFailed('not_found', `the required entity ${id ?? ''} no longer exists`);
    return found;
  }
}
