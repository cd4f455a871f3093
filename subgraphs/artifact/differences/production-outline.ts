// A production as what of it is compared (docs/reference/artifact.md#differences-of-productions): by names, without ids and times of its
// own.
import type { EntityVersion } from '../../../platform/causal-links.ts';
import { isList, isObject } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { givenMembers, type PartDifference, partDifferences } from '../../../platform/part-differences.ts';
import type { PlanNode } from '../planning/plan.ts';
import { contentOf, imagesOf, type Production } from '../productions/production.ts';
import { givenFiles, settled } from '../staleness/settled-inputs.ts';
import type { OutputFile } from './differences.store.ts';
import { logOutline } from './log-outline.ts';
import { numbered } from './rule-outline.ts';

/** What was recorded of one production. */
export interface RecordedProduction {
  readonly production: Production;
  readonly plan: PlanNode;
  readonly log: string | null;
  /** The versions of entities that it was given, as far as they were recorded. */
  readonly versions: readonly EntityVersion[];
  readonly files: readonly OutputFile[];
}

const objectOf = (value: JsonValue): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** The required entities, each with its version, or null where it was not recorded. */
function requiredOf({ plan, versions }: RecordedProduction): Readonly<Record<string, number | null>> {
  const known = new Map(versions.map(({ id, version }) => [id, version]));
  return Object.fromEntries(
    plan.requires.flatMap(({ entity_id: id }): [string, number | null][] =>
      id === null ? [] : [[id, known.get(id) ?? null]],
    ),
  );
}

interface ProducedEntity {
  readonly type: string;
  readonly id: string;
}

export const producedIn = (produced: JsonValue): readonly ProducedEntity[] =>
  (isList(produced) ? produced : []).flatMap((one): ProducedEntity[] => {
    const { entity_type: type, entity_id: id } = isObject(one) ? one : {};
    return typeof type === 'string' && typeof id === 'string' ? [{ type, id }] : [];
  });

/** The entities that it made, by their types, each with the hashes of its files. */
function outputsBy({
  production: { produced },
  files,
}: RecordedProduction): Readonly<Record<string, unknown>> {
  const made = producedIn(produced);
  return Object.fromEntries(
    numbered(made, ({ type }) => type).map(([name, { id }]) => {
      const own = files.filter(({ entityId }) => entityId === id);
      return [name, { entity_id: id, ...Object.fromEntries(own.map(({ field, hash }) => [field, hash])) }];
    }),
  );
}

/** The images that it ran in, by name. */
function imagesBy(production: Production): Readonly<Record<string, string | null>> | null {
  const images = imagesOf(production) ?? [];
  if (images.length === 0) return null;
  return Object.fromEntries(images.map((one) => [one.image, contentOf(one)]));
}

function outlineOf(recorded: RecordedProduction): Readonly<Record<string, unknown>> {
  const { production, plan, log } = recorded;
  return givenMembers({
    entity_type: production.entityType,
    status: production.status,
    rule: production.rule,
    workflow_hash: plan.workflow_hash,
    runner: production.runner,
    images: imagesBy(production),
    error: production.error,
    criteria: production.criteria,
    parameters: production.parameters,
    input_files: Object.fromEntries(givenFiles(production.inputFiles)),
    requires: requiredOf(recorded),
    outputs: outputsBy(recorded),
    log: logOutline(log ?? ''),
  });
}

/** Inputs that are other values, or files of other content: as recorded. */
function inputDifferences(
  { production: before }: RecordedProduction,
  { production: after }: RecordedProduction,
): readonly PartDifference[] {
  const contentOf = ({ inputs, inputFiles }: Production): unknown =>
    settled(objectOf(inputs), givenFiles(inputFiles));
  const valueIn = ({ inputs }: Production, name: string): unknown => objectOf(inputs)[name] ?? null;
  return partDifferences(contentOf(before), contentOf(after), 1, ['inputs']).map((part) => {
    const name = part.path[1] ?? '';
    return { ...part, before: valueIn(before, name), after: valueIn(after, name) };
  });
}

/** All but what their workflows mean. */
export const productionDifferences = (
  before: RecordedProduction,
  after: RecordedProduction,
): readonly PartDifference[] => [
  ...partDifferences(outlineOf(before), outlineOf(after), 3),
  ...inputDifferences(before, after),
];
