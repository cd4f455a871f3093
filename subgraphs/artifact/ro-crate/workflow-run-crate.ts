// Converts a production to a Workflow Run Crate: RO-Crate 1.1 metadata, flattened, by the Workflow Run
// RO-Crate profile 0.5.
import { isOptional } from '../cwl/cwl-type.ts';
import type { Production } from '../productions/productions.store.ts';
import { outputFields } from '../registration/output-fields.ts';
import type { StoredEntity } from '../resolution/entities.ts';
import { outputsOf } from '../rules/rule-definition.ts';
import type { Rule } from '../rules/rules.store.ts';
import { addFile, type CrateFile, references } from './file-nodes.ts';
import { crateTime, Graph, local, type Ref, ref } from './graph.ts';
import {
  addParameter,
  type Direction,
  filesIn,
  isAllFiles,
  literal,
  type Met,
  PARAMETER_PROFILE,
  parameterId,
} from './parameter-nodes.ts';
import { addAgent, addEngine, addLicense, addOperator, type CrateSettings } from './people-nodes.ts';
import { addWorkflow, type WorkflowSource } from './workflow-nodes.ts';

export interface DatedEntity extends StoredEntity {
  readonly createdAt: string;
}

export interface CrateSource extends WorkflowSource {
  readonly production: Production;
  readonly rule: Rule;
  /** Its results as far as the reader may see them, each with its files. */
  readonly entities: readonly { readonly entity: DatedEntity; readonly files: readonly CrateFile[] }[];
  /** Its input files by their addresses. */
  readonly inputFiles: ReadonlyMap<string, CrateFile>;
  readonly settings: CrateSettings;
}

const PROFILES = [
  'https://w3id.org/ro/wfrun/process/0.5',
  'https://w3id.org/ro/wfrun/workflow/0.5',
  'https://w3id.org/workflowhub/workflow-ro-crate/1.0',
];

type Values = Map<string, { files: boolean; values: boolean }>;

/** Records the types of a parameter's values. */
function meet(met: Values, id: string, kind: keyof Met): void {
  const known = met.get(id) ?? { files: false, values: false };
  met.set(id, { ...known, [kind]: true });
}

/** The value of every input: files, values, or the workflow's own default. */
function addInputs(
  graph: Graph,
  { production, workflow, inputFiles }: CrateSource,
  met: Values,
  accessed: string | null,
): readonly Ref[] {
  const given = production.inputs as Readonly<Record<string, unknown>>; // It was recorded as an object.
  return workflow.inputs.flatMap(({ name }) => {
    const id = parameterId('in', name);
    const work = { exampleOfWork: ref(id) };
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const files = filesIn(value).map(({ location, field, format }) => {
      meet(met, id, 'files');
      return addFile(
        graph,
        {
          location,
          field: field ?? name,
          hash: null,
          size: null,
          name: null,
          format,
          ...inputFiles.get(location),
        },
        work,
        accessed,
      );
    });
    if (isAllFiles(value)) return files;
    meet(met, id, 'values');
    const how = value === undefined ? { description: 'Not given: the default of the workflow.' } : {};
    return [
      ...files,
      graph.add({
        '@id': local('input', name),
        '@type': 'PropertyValue',
        name,
        value: literal(value),
        ...how,
        ...work,
      }),
    ];
  });
}

/** The outputs of an entity's fields: several if several items of the rule make its type. */
function outputsByField({ rule, workflow }: CrateSource, entityType: string): ReadonlyMap<string, string> {
  const items = outputsOf(rule.definition);
  const found = items
    .filter((item) => item.entity_type === entityType)
    .flatMap((item) => {
      const made = outputFields(item, items, workflow.outputs);
      return 'fields' in made ? made.fields : [];
    });
  return new Map(found.map(({ name, output }) => [name, output]));
}

/** An entity as a node: its files are parts of it, its other fields are properties. */
function addEntity(
  graph: Graph,
  source: CrateSource,
  { entity: { id, entityType, data, createdAt }, files }: CrateSource['entities'][number],
  met: Values,
  made: string | null,
): readonly Ref[] {
  const outputs = outputsByField(source, entityType);
  const exampleOf = (field: string, kind: keyof Met): { exampleOfWork?: Ref } => {
    const output = outputs.get(/^[^/[.]*/.exec(field)?.[0] ?? field);
    if (output === undefined) return {};
    meet(met, parameterId('out', output), kind);
    return { exampleOfWork: ref(parameterId('out', output)) };
  };
  const parts = files.map((file) => addFile(graph, file, exampleOf(file.field, 'files'), made));
  const properties = Object.entries(data)
    .filter(([name, value]) => value !== null && !files.some((file) => file.field === name))
    .map(([name, value]) =>
      graph.add({
        '@id': local('property', id, name),
        '@type': 'PropertyValue',
        name,
        value: literal(value),
        ...exampleOf(name, 'values'),
      }),
    );
  const node = graph.add({
    '@id': local('entity', id),
    '@type': 'CreativeWork',
    identifier: id,
    name: `${entityType} ${id}`,
    additionalType: entityType,
    dateCreated: crateTime(createdAt),
    ...(parts.length === 0 ? {} : { hasPart: parts }),
    ...(properties.length === 0 ? {} : { additionalProperty: properties }),
  });
  return [...parts, node];
}

/** Outputs without stored content, or that the reader does not see, are marked as such. */
function addUnkept(graph: Graph, { workflow }: CrateSource, met: Values): void {
  for (const { name } of workflow.outputs) {
    const id = parameterId('out', name);
    if (met.has(id)) continue;
    meet(met, id, 'values');
    graph.add({
      '@id': local('output', name),
      '@type': 'PropertyValue',
      name,
      value: 'null',
      description: 'Not kept: there was none, or the rule makes nothing of it.',
      exampleOfWork: ref(id),
    });
  }
}

const STATUS: Readonly<Record<string, string>> = {
  completed: 'http://schema.org/CompletedActionStatus',
  failed: 'http://schema.org/FailedActionStatus',
};

/** The content of `ro-crate-metadata.json`. Data is named by its location: the crate is detached. */
export function workflowRunCrate(source: CrateSource): {
  readonly '@context': readonly string[];
  readonly '@graph': readonly unknown[];
} {
  const { production, rule, workflow, entities, settings } = source;
  const graph = new Graph();
  const met: Values = new Map();
  const ended = production.finishedAt ?? null;
  const [started, finished] = [production.startedAt, ended].map((at) => (at === null ? null : crateTime(at)));
  const published = crateTime(ended ?? production.requestedAt);
  const root = `${production.entityType}, made by ${rule.name}@${rule.version}`;
  graph.add({
    '@id': 'ro-crate-metadata.json',
    '@type': 'CreativeWork',
    conformsTo: references([
      'https://w3id.org/ro/crate/1.1',
      'https://w3id.org/workflowhub/workflow-ro-crate/1.0',
    ]),
    about: ref('./'),
  });
  const license = addLicense(graph, settings);
  const operator = addOperator(graph, settings);

  const object = addInputs(graph, source, met, started ?? published);
  const result = entities.flatMap((one) => addEntity(graph, source, one, met, finished ?? published));
  addUnkept(graph, source, met);
  const parameters = (
    direction: Direction,
    list: readonly {
      readonly name: string;
      readonly type: CrateSource['workflow']['outputs'][number]['type'];
      readonly required: boolean;
      readonly format?: string;
    }[],
  ): readonly Ref[] =>
    list.map((one) =>
      addParameter(
        graph,
        direction,
        one,
        met.get(parameterId(direction, one.name)) ?? { files: false, values: false },
      ),
    );
  const main = addWorkflow(graph, source, {
    input: parameters(
      'in',
      workflow.inputs.map(({ optional, ...input }) => ({ ...input, required: !optional })),
    ),
    output: parameters(
      'out',
      workflow.outputs.map((output) => ({ ...output, required: !isOptional(output.type) })),
    ),
    creator: addAgent(graph, rule.registeredBy, operator),
    license,
    registeredAt: crateTime(rule.registeredAt),
  });
  const agent = addAgent(graph, production.requestedBy, operator);
  const engine = addEngine(graph, production.runner);
  const status = STATUS[production.status];
  const action = graph.add({
    '@id': local('production', production.id),
    '@type': 'CreateAction',
    identifier: production.id,
    name: `${rule.name}@${rule.version} for ${production.entityType}`,
    description: `The production ${production.id}: a run of ${rule.name}@${rule.version} by ${production.runner ?? 'a runner that is not known'}, requested by ${production.requestedBy}.`,
    instrument: main,
    agent,
    ...(object.length === 0 ? {} : { object: references(object.map((one) => one['@id'])) }),
    ...(result.length === 0 ? {} : { result: references(result.map((one) => one['@id'])) }),
    ...(status === undefined ? {} : { actionStatus: status }),
    ...(started == null ? {} : { startTime: started }),
    ...(finished == null ? {} : { endTime: finished }),
  });
  graph.add({
    '@id': '#engine-run',
    '@type': 'OrganizeAction',
    name: `Run of ${production.runner ?? 'the runner'}`,
    instrument: engine,
    agent,
    result: action,
    ...(started == null ? {} : { startTime: started }),
    ...(finished == null ? {} : { endTime: finished }),
  });

  for (const id of PROFILES)
    graph.add({
      '@id': id,
      '@type': 'CreativeWork',
      name: id.split('/').slice(-2).join(' '),
      version: id.split('/').at(-1),
    });
  graph.add({
    '@id': PARAMETER_PROFILE,
    '@type': 'CreativeWork',
    name: 'FormalParameter',
    version: '1.0-RELEASE',
  });
  graph.add({
    '@id': './',
    '@type': 'Dataset',
    name: root,
    description: rule.description ?? `What the production ${production.id} made, and of what.`,
    datePublished: published,
    license,
    author: agent,
    publisher: operator,
    conformsTo: references(PROFILES),
    mainEntity: main,
    mentions: action,
    hasPart: references([
      main['@id'],
      ...graph.nodes.filter((node) => node['@type'] === 'File').map((node) => node['@id']),
    ]),
  });
  return {
    '@context': ['https://w3id.org/ro/crate/1.1/context', 'https://w3id.org/ro/terms/workflow-run/context'],
    '@graph': graph.nodes,
  };
}
