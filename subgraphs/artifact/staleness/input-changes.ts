// Which inputs of a workflow would have other values now: they are bound again, as the production did, to what its
// required entities are now. What no input takes makes no difference.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';
import type { Turn } from '../../../platform/turns.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import { bindInput, mayGive } from '../planning/bind-inputs.ts';
import type { StoredEntity } from '../planning/entities.ts';
import { type PlanNode, requiredBy } from '../planning/plan.ts';
import { type KnownFiles, settled } from './settled-inputs.ts';

type Values = Readonly<Record<string, unknown>>;

/** What binding inputs takes of a plan. */
export interface RecordedPlan {
  readonly workflowHash: string | null;
  readonly criteria: Readonly<Record<string, string>>;
  readonly bindings: Readonly<Record<string, string>>;
  /** Ids of the entities that it required. */
  readonly required: readonly string[];
}

/** @param stored as it was recorded */
export function recordedPlan(stored: JsonValue): RecordedPlan {
  const plan = stored as unknown as PlanNode;
  const { workflow_hash: workflowHash, criteria, bindings } = plan;
  return { workflowHash, criteria, bindings, required: requiredBy(plan) };
}

export interface Given {
  readonly workflow: KnownWorkflow;
  readonly parameters: Values;
  readonly plan: Pick<RecordedPlan, 'criteria' | 'bindings'>;
  /** As the production recorded them. */
  readonly inputs: Values;
  readonly files: KnownFiles;
  /** Versions of the required entities, where they were recorded. */
  readonly versions: ReadonlyMap<string, number>;
}

export interface InputChange {
  readonly kind: 'INPUT_CHANGED';
  readonly message: string;
  readonly input: string;
  readonly entityId: string | null;
  readonly field: string | null;
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
}

export interface InputGone {
  readonly kind: 'INPUT_GONE';
  readonly message: string;
  readonly entityId: string;
  readonly toVersion: number;
}

export const gone = ({ id, entityType, version }: StoredEntity): InputGone => ({
  kind: 'INPUT_GONE',
  message: `${entityType} ${id} is no longer available`,
  entityId: id,
  toVersion: version,
});

/** What differs, and the required entities that any input takes something of. */
export interface ComparedInputs {
  readonly changes: readonly InputChange[];
  readonly bound: readonly string[];
}

const own = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** The field of the entity that an input is a file of. */
function fileField(value: unknown, id: string): string | null {
  const entity = isObject(value) && isObject(value['entity']) ? value['entity'] : {};
  return entity['id'] === id && typeof entity['field'] === 'string' ? entity['field'] : null;
}

/**
 * In turns: each input is bound once more without each entity that may give something to it, which shows what it gives.
 * @param turn of everything that is compared at once: each by itself would wait for its own
 */
export async function compareInputs(
  given: Given,
  required: readonly StoredEntity[],
  turn: Turn,
): Promise<ComparedInputs> {
  const { inputs: before, files, versions, workflow, parameters, plan } = given;
  const texts = new Map(Object.entries({ ...plan.criteria, ...plan.bindings }));
  const isSame = (a: unknown, b: unknown): boolean =>
    a === b || canonicalJson(settled(a ?? null, files)) === canonicalJson(settled(b ?? null, files));
  const values = new Map<string, unknown>();
  const givers = new Map<string, StoredEntity>();
  const bound = new Set<StoredEntity>();
  for (const input of workflow.inputs) {
    while (turn.isOver) await turn.nextOfAll();
    const { name } = input;
    const value = bindInput(input, { parameters, texts, required });
    values.set(name, value);
    let text: string | undefined;
    for (const entity of required) {
      if (!mayGive(entity, input)) continue;
      while (turn.isOver) await turn.nextOfAll();
      const others = required.filter((one) => one !== entity);
      const without = bindInput(input, { parameters, texts, required: others });
      if (without === value) continue;
      text ??= canonicalJson(value ?? null);
      if (canonicalJson(without ?? null) === text) continue;
      bound.add(entity);
      if (!givers.has(name) && !isSame(without, value)) givers.set(name, entity);
    }
  }
  const now = Object.fromEntries(values); // an input may have any name
  const defaults = new Map(workflow.inputs.map((input) => [input.name, input.default]));
  const used = (given: Values, name: string): unknown => own(given, name) ?? defaults.get(name);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (name) => !isSame(used(before, name), used(now, name)),
  );
  const change = (input: string): InputChange => {
    const [was, is] = [own(before, input), own(now, input)];
    const entity =
      givers.get(input) ??
      required.find((one) => fileField(was, one.id) !== null) ??
      required.find(({ id, version }) => versions.has(id) && versions.get(id) !== version);
    const nothing = { entityId: null, field: null, fromVersion: null, toVersion: null };
    if (entity === undefined)
      return {
        kind: 'INPUT_CHANGED',
        message: `input ${input} would have another value`,
        input,
        ...nothing,
      };
    const { id, entityType, version } = entity;
    const from = versions.get(id) ?? null;
    const field =
      fileField(is, id) ?? fileField(was, id) ?? (Object.hasOwn(entity.data, input) ? input : null);
    return {
      kind: 'INPUT_CHANGED',
      message: `${entityType} ${id}${from === null ? '' : ` v${from} -> v${version}`}: ${field ?? 'its data'} changed, bound as input ${input}`,
      input,
      entityId: id,
      field,
      fromVersion: from,
      toVersion: version,
    };
  };
  return {
    changes: changed.map(change),
    bound: required.filter((one) => bound.has(one)).map(({ id }) => id),
  };
}
