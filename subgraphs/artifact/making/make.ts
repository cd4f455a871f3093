// Makes what one production is for: what it requires first, then its workflow's run, then its entities (contract 4 «POST /produce»).
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { documentsFrom, findKeptWorkflow, type KeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { addressOf } from '../cwl-source/workflow-identity.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import {
  noteGiven,
  noteRun,
  noteRunElsewhere,
  type RunElsewhere,
} from '../productions/production-queue.store.ts';
import { checkDemands } from '../registration/check-demands.ts';
import { findSchema } from '../registration/entity-schema.ts';
import type { StoredEntity } from '../resolution/entities.ts';
import { type PlanNode, recorded, reusedBy } from '../resolution/plan.ts';
import {
  type Resolution,
  type ResolutionMeans,
  ResolutionService,
} from '../resolution/resolution.service.ts';
import { outputsOf } from '../rules/rule-definition.ts';
import { RuleService } from '../rules/rules.service.ts';
import type { Rule } from '../rules/rules.store.ts';
import type { Runner, Task } from '../runners/runner.ts';
import type { Storage } from '../storage/storage.service.ts';
import { bindInputs } from './bind-inputs.ts';
import { identified, type IdentifiedEntity } from './made-entities.ts';
import { NotOurs, ProductionFailed } from './production-failed.ts';
import { readOutputs } from './read-outputs.ts';
import { SourceFiles, type SourceMeans } from './source-files.ts';
import type { MadeWriter } from './write-made.ts';

export interface MakeMeans {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly planning: ResolutionMeans;
  readonly storage: Storage;
  readonly writer: MadeWriter;
  readonly runner: Runner;
  readonly sources: SourceMeans;
  readonly settings: Pick<Config['artifact'], 'allowedImages' | 'limits' | 'runner'>;
  /** Where runs have their directories. */
  readonly workDirectory: string;
}

/** One production under way, as making it sees it. */
export interface Making {
  readonly id: string;
  readonly fence: string;
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestedRule: string | null;
  /** Who asked: what they may not see is not used, what they may not write is not made. */
  readonly requester: Caller;
  /** The run that an earlier attempt has begun elsewhere. */
  readonly runElsewhere: RunElsewhere | null;
  readonly stop: AbortSignal;
  readonly onLog: (tail: string) => void;
  /** Makes what is required before, and comes back when it is there. */
  readonly require: (node: PlanNode) => Promise<void>;
  /** @throws where this production is no longer ours */
  readonly stillOurs: () => Promise<void>;
}

export interface Made {
  readonly entity_type: string;
  readonly entity_id: string;
}

/** What is deepest and not there yet. */
function missing(plan: PlanNode): PlanNode | null {
  for (const node of plan.requires) {
    const found = missing(node);
    if (found) return found;
    if (node.decision !== 'reuse') return node;
  }
  return null;
}

/** Of a production that is worked on for the first time. */
const FIRST_FENCE = '1';

const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Required entities of projects that not all that is made of them belongs to: their values are not for everybody who sees what was made. */
function hiddenFrom(
  made: readonly IdentifiedEntity[],
  required: readonly StoredEntity[],
): ReadonlySet<string> {
  return new Set(
    required
      .filter(
        ({ data: { project } }) =>
          typeof project === 'string' && made.some((entity) => entity.data['project'] !== project),
      )
      .map(({ id }) => id),
  );
}

/** Inputs as provenance keeps them: what only hidden entities give is named by them. */
const shownInputs = (
  inputs: Readonly<Record<string, unknown>>,
  open: Readonly<Record<string, unknown>>,
  hidden: ReadonlySet<string>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      canonicalJson(open[name] ?? null) === canonicalJson(value) ? value : { entities: [...hidden] },
    ]),
  );

const ENTITY_FIELDS = 'id entityType data version isAvailable';
const ENTITY = `query ArtifactInput($id: ID!) { entity(id: $id) { ${ENTITY_FIELDS} } }`;

export class Maker {
  readonly #means: MakeMeans;

  constructor(means: MakeMeans) {
    this.#means = means;
  }

  /** @returns what it declares: what was asked for first @throws ProductionFailed, DomainError, or what `stop` was aborted with */
  async make(making: Making): Promise<readonly Made[]> {
    const resolution = await this.#ready(making);
    const { plan, entity } = resolution;
    if (entity !== null) return [{ entity_type: entity.entityType, entity_id: entity.id }]; // somebody else has made it meanwhile
    const rule = await new RuleService(this.#means.db, making.requester).version(plan.rule ?? '');
    const kept = rule && (await findKeptWorkflow(this.#means.db, rule.workflowHash));
    if (!kept)
      throw new ProductionFailed(
        'not_found',
        `the workflow of ${plan.rule ?? 'the rule'} is not kept any more: register the rule again`,
      );
    const [refused] = checkDemands(kept.workflow.demands, this.#means.settings);
    if (refused)
      throw new ProductionFailed(
        ['network', 'software'].includes(refused.check) ? 'unsupported' : 'limit_exceeded',
        refused.message,
      );
    const trouble = await this.#means.runner.imageTrouble(kept.workflow.demands);
    if (trouble !== null) throw new ProductionFailed('runner_unavailable', trouble);
    const directory = path.join(this.#means.workDirectory, `${making.id}.${making.fence}`);
    await mkdir(directory, { recursive: true });
    try {
      return await this.#build(making, plan, rule, kept, directory);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** The plan when everything that it requires is there, and held: what was found before it was held may have been evicted, and is looked for again. */
  async #ready(making: Making): Promise<Resolution> {
    for (;;) {
      making.stop.throwIfAborted();
      const resolver = new ResolutionService(
        this.#means.planning,
        making.requester,
        new RuleService(this.#means.db, making.requester),
      );
      const resolution = await resolver.resolve(
        making.entityType,
        making.criteria,
        making.requestedRule,
        making.parameters,
      );
      const node = missing(resolution.plan);
      if (node !== null) await making.require(node);
      else if (!(await this.#means.storage.hold(making.id, reusedBy(resolution.plan)))) return resolution;
    }
  }

  async #build(
    making: Making,
    plan: PlanNode,
    rule: Rule,
    kept: KeptWorkflow,
    directory: string,
  ): Promise<readonly Made[]> {
    const { db, runner, sources, settings } = this.#means;
    const { workflow } = kept;
    const required = await Promise.all(plan.requires.map((node) => this.#entity(node, making.requester)));
    const bindings = new Map(Object.entries(plan.bindings));
    const criteria = new Map(Object.entries(plan.criteria));
    const given = { parameters: making.parameters, texts: new Map([...criteria, ...bindings]) };
    const bound = bindInputs(workflow.inputs, { ...given, required });
    if (bound.missing.length > 0)
      throw new ProductionFailed(
        'inputs_missing',
        `${plan.rule ?? ''} needs ${bound.missing.join(', ')}: neither a parameter, nor a field that was asked for, nor a required entity gives it`,
        { inputs: bound.missing },
      );
    const version = await runner.version();
    const runBy = version === null ? runner.name : `${runner.name} ${version}`;
    await noteRun(db, making, { rule: plan.rule, plan: recorded(plan), runner: runBy, inputs: bound.inputs });

    const files = new SourceFiles(sources, making.id, path.join(directory, 'inputs'), making.stop);
    const inputs = (await files.bring(bound.inputs)) as Record<string, unknown>; // an object stays one
    await noteGiven(db, making, files.given);
    const run = path.join(directory, 'run');
    await mkdir(run);
    const { url, fragment } = addressOf(rule.definition.execute);
    const main = fragment === '' ? url : `${url}#${fragment}`;
    const work = digestOf([
      rule.workflowHash,
      bound.inputs,
      files.given.map(({ location, hash }) => canonicalJson([location, hash])).sort(),
    ]);
    const outcome = await runner.run(
      {
        elsewhere: await this.#elsewhere(making, work),
        id: `${making.id}.${making.fence}`,
        main,
        version: workflow.version,
        documents: documentsFrom(url, kept),
        inputs,
        network: workflow.demands.network,
        images: workflow.demands,
        onLog: making.onLog,
      },
      run,
      making.stop,
    );
    making.onLog(outcome.log);
    if (!outcome.ok)
      throw new ProductionFailed(
        outcome.fault,
        outcome.message,
        outcome.said === '' ? {} : { stderr: outcome.said },
      );

    const note = runner.imageNote(workflow.demands);
    const made = await readOutputs(outputsOf(rule.definition), workflow.outputs, outcome.outputs, {
      directory: outcome.directory,
      scratch: directory,
      limits: { bytes: settings.limits.disk, entries: settings.limits.files },
      stop: making.stop,
      keep: (file, mediaType) => this.#means.storage.keep(file, making.id, mediaType),
    });
    const types = [...new Set(made.map(({ item }) => item.entity_type))];
    const [wanted, ...schemas] = await Promise.all(
      [making.entityType, ...types].map((type) => findSchema(this.#means.ask, type, making.requester)),
    );
    const schemasOf = new Map(
      schemas.flatMap((schema, i) => (schema ? [[types[i] ?? schema.name, schema] as const] : [])),
    );
    const entities = identified(made, {
      productionId: making.id,
      entityType: making.entityType,
      types: [making.entityType, ...(wanted?.subtypes ?? [])],
      criteria,
      bindings,
      requester: making.requester,
      schemas: schemasOf,
    });
    const hidden = hiddenFrom(entities, required);
    const open = bindInputs(workflow.inputs, {
      ...given,
      required: required.map((entity) => (hidden.has(entity.id) ? { ...entity, data: {} } : entity)),
    }).inputs;
    const context = (written: readonly IdentifiedEntity[]): unknown => ({
      production: making.id,
      rule: plan.rule,
      rule_scope: rule.scope,
      cwl_hash: rule.cwlHash,
      workflow_hash: rule.workflowHash,
      runner: runBy,
      requested_by: making.requester.actor,
      ...(workflow.demands.images.length === 0
        ? {}
        : { container_images: workflow.demands.images, ...(note === null ? {} : { container_note: note }) }),
      parameters: making.parameters,
      inputs: shownInputs(bound.inputs, open, hidden),
      input_files: files.given.map((file) =>
        file.entity_id !== undefined && hidden.has(file.entity_id)
          ? { hash: file.hash, entity_id: file.entity_id }
          : file,
      ),
      output_files: written.flatMap(({ id, files: made }) =>
        made.map(({ field, hash, name, format }) => ({
          entity_id: id,
          field,
          hash,
          name,
          ...(format === null ? {} : { format }),
        })),
      ),
      required_entities: required.map(({ id, version: at }) => ({ id, version: at })),
    });
    const written = await this.#means.writer.write({
      production: making.id,
      entities,
      schemas: schemasOf,
      context,
      stop: making.stop,
      stillOurs: making.stillOurs,
    });
    return written.map(({ item, id }) => ({ entity_type: item.entity_type, entity_id: id }));
  }

  /** A run that was begun for the same work is taken up; one for anything else is ended. */
  async #elsewhere(making: Making, work: string): Promise<NonNullable<Task['elsewhere']>> {
    const { db, runner } = this.#means;
    const { runElsewhere: before } = making;
    if (before !== null && before.work !== work) await runner.abandon?.(before.run);
    return {
      begun: before?.work === work ? before.run : null,
      tags: { production: making.id, work },
      isAgain: making.fence !== FIRST_FENCE,
      async note(run) {
        if (await noteRunElsewhere(db, making, { run, work })) return;
        await making.stillOurs();
        throw new NotOurs('nobody will know of the run');
      },
    };
  }

  /** Ends what a killed process has left of a production's run on this machine. */
  async clear(directory: string): Promise<void> {
    await this.#means.runner.clear?.(path.join(directory, 'run'));
  }

  /** Ends a run elsewhere of a production that has ended. */
  async abandon(run: string): Promise<void> {
    await this.#means.runner.abandon?.(run);
  }

  async #entity({ entity_id: id }: PlanNode, caller: Caller): Promise<StoredEntity> {
    const found =
      id === null
        ? null
        : await question<StoredEntity | null>(this.#means.ask, ENTITY, 'entity', { id }, caller);
    if (!found)
      throw new ProductionFailed('not_found', `${id ?? 'an entity'} that is required is not there any more`);
    return found;
  }
}
