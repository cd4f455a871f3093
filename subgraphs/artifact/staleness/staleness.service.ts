// Whether what was produced is still what would be produced (docs/reference/artifact.md#staleness).
import DataLoader from 'dataloader';
import type { EntityVersion } from '../../../platform/causal-links.ts';
import type { Caller } from '../../../platform/identity.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { Turn } from '../../../platform/turns.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { StoredEntity } from '../planning/entities.ts';
import type { AskPlatform } from '../platform-port.ts';
import type { ProductionService } from '../productions/productions.service.ts';
import {
  type ComparedProduction,
  imagesOf,
  type Production,
  type StoredImage,
} from '../productions/production.ts';
import { type ImageChange, imageChange, imageNotKnown } from './image-changes.ts';
import { findImagesNow } from './image-now.store.ts';
import {
  compareInputs,
  gone,
  type InputChange,
  type InputGone,
  type RecordedPlan,
  recordedPlan,
} from './input-changes.ts';
import { presentOf } from './present-entities.ts';
import type { RulesNow } from './remembered-rules.ts';
import type { RuleChange } from './rule-changes.ts';
import { givenFiles } from './settled-inputs.ts';
import { listGivenVersions, versionsGiven } from './staleness.store.ts';

/** Productions that one answer looks at. */
const MAX_PRODUCTIONS = 1000;
/** Entities whose data is read at once: it may be large. */
const BATCH = 50;

type Change = InputChange | InputGone | RuleChange | ImageChange;

/** A change, and the way from it to what was asked about. */
export type StaleReason = Change & { readonly via: readonly string[]; readonly productionId: string };

export interface Staleness {
  readonly isStale: boolean;
  readonly reasons: readonly StaleReason[];
  /** What is not compared, and why. */
  readonly notKnown: readonly string[];
  readonly isComplete: boolean;
}

/** What has changed for one production, and the entities whose own productions count. */
export interface Examined {
  readonly changes: readonly Change[];
  readonly bound: readonly string[];
  readonly notKnown: readonly string[];
  /** False where a required entity is not there for the caller: what only it could tell is not told. */
  readonly isWhole: boolean;
}

/** What was found of a production as it is for callers of all projects, by a comparison that marks name. */
export interface KeptComparison {
  /** What of it alone has changed but its rule. */
  readonly inputs: Examined;
  /** Whether one of the entities that it was made of is a stale result. */
  readonly isByChain: boolean;
  /** Whether any was made, so that there is a chain, of which a caller of some projects may see less. */
  readonly isOfMade: boolean;
  readonly required: readonly string[];
  readonly rule: string | null;
  /** The revision of the rules with which its rule was active. */
  readonly activeAt: string | null;
}

/** What a comparison takes of a production beside its row, where it was read with it. */
export interface Recording {
  readonly plan: RecordedPlan;
  readonly given: readonly string[];
}

/** A production whose result is looked at, and the entities that led to it. */
interface Step {
  readonly production: Production;
  readonly via: readonly string[];
}

export interface StalenessDeps extends RulesNow {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly productions: ProductionService;
}

const byEntity = (given: readonly EntityVersion[]): ReadonlyMap<string, number> =>
  new Map(given.map(({ id, version }) => [id, version]));
const UNRECORDED = 'the container images that it ran in were not recorded';
const objectOf = (value: JsonValue): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** Whether a workflow ran for it: what was found instead is nobody's result. */
const hasRun = ({ status, runner }: Production): boolean => status === 'completed' && runner !== null;

/**
 * For one operation's caller: of what they do not see nothing is told, not even that it has changed, and what made it
 * is not looked at (docs/reference/artifact.md#staleness).
 */
export class StalenessService {
  readonly #deps: StalenessDeps;
  readonly #entities: DataLoader<string, StoredEntity | null>;
  readonly #workflows: DataLoader<string, KnownWorkflow | null>;
  readonly #versions: DataLoader<string, ReadonlyMap<string, number>>;
  readonly #images: DataLoader<string, readonly StoredImage[]>;
  readonly #examined = new Map<string, Promise<Examined>>();
  readonly #inputs = new Map<string, Promise<Examined>>();
  readonly #turn = new Turn();

  constructor(deps: StalenessDeps, caller: Caller) {
    const { db, ask, workflows } = deps;
    this.#deps = deps;
    this.#entities = new DataLoader((ids) => presentOf(ask, caller, ids), { maxBatchSize: BATCH });
    this.#workflows = new DataLoader(async (hashes) => {
      const found = await workflows(db, hashes);
      return hashes.map((hash) => found.get(hash) ?? null);
    });
    this.#versions = new DataLoader(async (ids) => {
      const found = await listGivenVersions(db, ids);
      return ids.map((id) => byEntity(found.get(id) ?? []));
    });
    this.#images = new DataLoader(async (names) => {
      const found = await findImagesNow(db, names, caller.asOf ?? null);
      return names.map((name) => found.filter(({ image }) => image === name));
    });
  }

  /** Of an entity that the caller may or may not see; null if they do not, or no production made it. */
  async ofVisible(entityId: string): Promise<Staleness | null> {
    const isSeen = hasNoNul(entityId) && (await this.#entities.load(entityId)) !== null;
    return isSeen ? this.ofEntity(entityId) : null;
  }

  /** Of an entity that the caller sees; null if no production made it. */
  async ofEntity(entityId: string): Promise<Staleness | null> {
    const production = await this.#deps.productions.ofEntity(entityId);
    return production && this.of(production);
  }

  /** Of a production whose visibility has been checked; null unless its workflow has run to its end. */
  async of(production: Production): Promise<Staleness | null> {
    return hasRun(production) ? this.#from(production) : null;
  }

  /** Of what a production's workflow has been given that has not ended; null if none has run. */
  async ofRun(id: string): Promise<Staleness | null> {
    const production = await this.#deps.productions.fresh(id);
    return production !== null && production.runner !== null ? this.#from(production) : null;
  }

  async #from(production: Production): Promise<Staleness> {
    const reasons: StaleReason[] = [];
    const seen = new Set([production.id]);
    const notKnown = new Set<string>();
    let isWhole = true;
    let level: readonly Step[] = [{ production, via: [] }];
    while (level.length > 0 && seen.size <= MAX_PRODUCTIONS) {
      const examined = await Promise.all(
        level.map(async (step) => ({ step, ...(await this.examine(step.production)) })),
      );
      isWhole &&= examined.every((one) => one.isWhole);
      for (const one of examined.flatMap((each) => each.notKnown)) notKnown.add(one);
      for (const { step, changes } of examined)
        reasons.push(
          ...changes.map((change) => ({ ...change, via: step.via, productionId: step.production.id })),
        );
      const next = await Promise.all(
        examined.flatMap(({ step, bound }) => bound.map((id) => this.#before(id, step.via))),
      );
      level = next
        .flat()
        .filter(({ production: { id } }) => !seen.has(id) && seen.add(id).size <= MAX_PRODUCTIONS + 1);
    }
    const isComplete = isWhole && level.length === 0;
    return { isStale: reasons.length > 0, reasons, notKnown: [...notKnown], isComplete };
  }

  async #before(entityId: string, via: readonly string[]): Promise<readonly Step[]> {
    const production = await this.#deps.productions.ofEntity(entityId);
    return production !== null && hasRun(production) ? [{ production, via: [...via, entityId] }] : [];
  }

  /** Whether another rule would be used now than this version. */
  async hasRuleChanged(reference: string): Promise<boolean> {
    return (await this.#deps.rules.since(reference)) !== null;
  }

  /** Whether the version is the one that is used. */
  async isRuleActive(reference: string): Promise<boolean> {
    return this.#deps.rules.isActive(reference);
  }

  /**
   * Of the result of a mark, from what was kept of it, where no reason is in what it was made of.
   * @param revision of the rules now
   */
  async ofKept(productionId: string, kept: KeptComparison, revision: string | null): Promise<Staleness> {
    const { inputs, rule: reference, activeAt } = kept;
    const isAsBefore = reference === null || (activeAt !== null && activeAt === revision);
    const rule = isAsBefore ? null : await this.#deps.rules.since(reference);
    const changes = rule === null ? inputs.changes : [rule, ...inputs.changes];
    const reasons = changes.map((change) => ({ ...change, via: [], productionId }));
    const { notKnown, isWhole: isComplete } = inputs;
    return { isStale: reasons.length > 0, reasons, notKnown, isComplete };
  }

  /** What has changed for a production alone, without what made its inputs. */
  async examine(production: ComparedProduction, recorded?: Recording): Promise<Examined> {
    let known = this.#examined.get(production.id);
    if (known === undefined) this.#examined.set(production.id, (known = this.#compare(production, recorded)));
    return known;
  }

  async #compare(production: ComparedProduction, recorded?: Recording): Promise<Examined> {
    const { rule: reference } = production;
    const [rule, inputs] = await Promise.all([
      reference === null ? null : this.#deps.rules.since(reference),
      this.inputs(production, recorded),
    ]);
    return rule === null ? inputs : { ...inputs, changes: [rule, ...inputs.changes] };
  }

  /** What of a production alone has changed but its rule. */
  async inputs(production: ComparedProduction, recorded?: Recording): Promise<Examined> {
    let known = this.#inputs.get(production.id);
    if (known === undefined)
      this.#inputs.set(production.id, (known = this.#compareInputs(production, recorded)));
    return known;
  }

  /** Reads entities that will be looked at, before it is known what else will be. */
  foresee(ids: readonly string[]): void {
    for (const id of ids) this.#entities.load(id).catch(() => undefined); // told where it is used
  }

  /** What is known of productions already, as it is now for callers of all projects. */
  know(inputs: ReadonlyMap<string, Examined>): void {
    for (const [id, known] of inputs) if (!this.#inputs.has(id)) this.#inputs.set(id, Promise.resolve(known));
  }

  async #compareInputs(production: ComparedProduction, recorded?: Recording): Promise<Examined> {
    const plan = recorded?.plan ?? recordedPlan(await this.#deps.productions.plan(production));
    const { workflowHash, required: ids } = plan;
    const [workflow, versions, images, found] = await Promise.all([
      workflowHash === null ? null : this.#workflows.load(workflowHash),
      recorded ? byEntity(versionsGiven(recorded.given)) : this.#versions.load(production.id),
      this.#compareImages(production),
      Promise.all(ids.map((id) => this.#entities.load(id))),
    ]);
    const required = found.flatMap((entity) => entity ?? []);
    const lost = required.filter(({ isAvailable }) => !isAvailable).map(gone);
    const changes = [...lost, ...images.changes];
    const isUnrecorded = imagesOf(production) === null && (workflow?.demands.images ?? []).length > 0;
    const notKnown = isUnrecorded ? [UNRECORDED] : images.notKnown;
    // without all of them nothing can be bound as it was
    const isWhole = required.length === ids.length;
    if (workflow === null || !isWhole) return { changes, bound: [], notKnown, isWhole };
    const given = {
      workflow,
      plan,
      versions,
      parameters: objectOf(production.parameters),
      inputs: objectOf(production.inputs),
      files: givenFiles(production.inputFiles),
    };
    const compared = await compareInputs(given, required, this.#turn);
    return { changes: [...changes, ...compared.changes], bound: compared.bound, notKnown, isWhole };
  }

  async #compareImages(
    production: Pick<Production, 'images'>,
  ): Promise<{ changes: ImageChange[]; notKnown: string[] }> {
    const compared = await Promise.all(
      (imagesOf(production) ?? []).map(async (was) => {
        const now = await this.#images.load(was.image);
        return { changes: imageChange(was, now), notKnown: imageNotKnown(was, now) };
      }),
    );
    return {
      changes: compared.flatMap(({ changes }) => changes),
      notKnown: compared.flatMap(({ notKnown }) => notKnown ?? []),
    };
  }
}

/** The slice of the resolvers' context. */
export interface StalenessSlice {
  readonly staleness: StalenessService;
}
