// Which inputs of a workflow would have other values now: they are bound again, as the production did, to what its
// required entities are now. What no input takes makes no difference.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import { bindInputs } from '../planning/bind-inputs.ts';
import type { StoredEntity } from '../planning/entities.ts';
import type { PlanNode } from '../planning/plan.ts';
import { type KnownFiles, settled } from './settled-inputs.ts';

type Values = Readonly<Record<string, unknown>>;

export interface Given {
  readonly workflow: KnownWorkflow;
  readonly parameters: Values;
  readonly plan: PlanNode;
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

/** The inputs with these required entities. */
export type Bind = (required: readonly StoredEntity[]) => Values;

export function binding({ workflow, parameters, plan }: Given): Bind {
  const texts = new Map(Object.entries({ ...plan.criteria, ...plan.bindings }));
  return (required) => bindInputs(workflow.inputs, { parameters, texts, required }).inputs;
}

const own = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** The field of the entity that an input is a file of. */
function fileField(value: unknown, id: string): string | null {
  const entity = isObject(value) && isObject(value['entity']) ? value['entity'] : {};
  return entity['id'] === id && typeof entity['field'] === 'string' ? entity['field'] : null;
}

/** Whether any input takes something of the entity. */
export function isBound(bind: Bind, required: readonly StoredEntity[], entity: StoredEntity): boolean {
  const others = required.filter((one) => one !== entity);
  return canonicalJson(bind(required)) !== canonicalJson(bind(others));
}

export function changedInputs(
  given: Given,
  bind: Bind,
  required: readonly StoredEntity[],
): readonly InputChange[] {
  const { inputs: before, files, versions } = given;
  const now = bind(required);
  const isSame = (a: unknown, b: unknown): boolean =>
    canonicalJson(settled(a ?? null, files)) === canonicalJson(settled(b ?? null, files));
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (name) => !isSame(own(before, name), own(now, name)),
  );
  return changed.map((input): InputChange => {
    const [was, is] = [own(before, input), own(now, input)];
    const entity =
      required.find((one) => !isSame(own(bind(required.filter((other) => other !== one)), input), is)) ??
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
  });
}
