// The provenance context of everything that a production has made (docs/reference/artifact.md#productions).
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { StoredEntity } from '../planning/entities.ts';
import type { PlanNode } from '../planning/plan.ts';
import { contentOf, type StoredImage } from '../productions/production.ts';
import type { Rule } from '../rules/rules.store.ts';
import type { IdentifiedEntity } from './produced-entities.ts';
import type { GivenFile } from './source-files.ts';

type Inputs = Readonly<Record<string, unknown>>;

export interface ProductionRecord {
  readonly production: string;
  readonly requestedBy: string;
  readonly parameters: Inputs;
  readonly plan: PlanNode;
  readonly rule: Rule;
  readonly workflow: KnownWorkflow;
  /** The runner and its version. */
  readonly runBy: string;
  /** How the runner treats container images, if noteworthy; null otherwise. */
  readonly containerNote: string | null;
  /** The container images that it ran in. */
  readonly images: readonly StoredImage[];
  readonly inputs: Inputs;
  /** The inputs with these required entities. */
  readonly inputsFrom: (required: readonly StoredEntity[]) => Inputs;
  readonly inputFiles: readonly GivenFile[];
  readonly required: readonly StoredEntity[];
}

/**
 * Required entities of projects that not all results belong to: their values must not be shown to everybody
 * who sees a result.
 */
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

/** Inputs for provenance: values that only come from hidden entities are replaced by their ids. */
const shownInputs = (inputs: Inputs, open: Inputs, hidden: ReadonlySet<string>): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      canonicalJson(open[name] ?? null) === canonicalJson(value) ? value : { entities: [...hidden] },
    ]),
  );

function containersOf({
  workflow: { demands },
  containerNote: note,
  images,
}: Pick<ProductionRecord, 'workflow' | 'containerNote' | 'images'>): Inputs {
  if (demands.images.length === 0) return {};
  const digests = images.flatMap((one) => {
    const content = contentOf(one);
    return content === null ? [] : [[one.image, content] as const];
  });
  return {
    container_images: demands.images,
    ...(digests.length === 0 ? {} : { container_digests: Object.fromEntries(digests) }),
    ...(note === null ? {} : { container_note: note }),
  };
}

const outputFiles = (written: readonly IdentifiedEntity[]): readonly Inputs[] =>
  written.flatMap(({ id, files }) =>
    files.map(({ field, hash, name, format }) => ({
      entity_id: id,
      field,
      hash,
      name,
      ...(format === null ? {} : { format }),
    })),
  );

/** @returns the context of the entities as they are written, with their final ids */
export function productionContext(
  record: ProductionRecord,
  made: readonly IdentifiedEntity[],
): (written: readonly IdentifiedEntity[]) => unknown {
  const { rule, inputs, required } = record;
  const hidden = hiddenFrom(made, required);
  const open = record.inputsFrom(
    required.map((entity) => (hidden.has(entity.id) ? { ...entity, data: {} } : entity)),
  );
  return (written) => ({
    production: record.production,
    rule: record.plan.rule,
    rule_scope: rule.scope,
    cwl_hash: rule.cwlHash,
    workflow_hash: rule.workflowHash,
    runner: record.runBy,
    requested_by: record.requestedBy,
    ...containersOf(record),
    parameters: record.parameters,
    inputs: shownInputs(inputs, open, hidden),
    input_files: record.inputFiles.map((file) =>
      file.entity_id !== undefined && hidden.has(file.entity_id)
        ? { hash: file.hash, entity_id: file.entity_id }
        : file,
    ),
    output_files: outputFiles(written),
    required_entities: required.map(({ id, version }) => ({ id, version })),
  });
}
