// Converts a production to a Workflow Run Crate: RO-Crate 1.1 metadata, flattened, by the Workflow Run
// RO-Crate profile 0.5.
import { isOptional } from '../cwl/cwl-type.ts';
import { references } from './file-nodes.ts';
import { crateTime, Graph, local, type Ref, ref } from './graph.ts';
import { addImages } from './image-nodes.ts';
import { type Direction, PARAMETER_PROFILE, addParameter, parameterId } from './parameter-nodes.ts';
import { addAgent, addEngine, addLicense, addOperator } from './people-nodes.ts';
import { addWorkflow } from './workflow-nodes.ts';
import type { CrateSource } from './crate-source.ts';
import { type Values, addEntity, addInputs, addUnkept } from './data-nodes.ts';

const PROFILES = [
  'https://w3id.org/ro/wfrun/process/0.5',
  'https://w3id.org/ro/wfrun/workflow/0.5',
  'https://w3id.org/workflowhub/workflow-ro-crate/1.0',
];

const STATUS: Readonly<Record<string, string>> = {
  completed: 'http://schema.org/CompletedActionStatus',
  failed: 'http://schema.org/FailedActionStatus',
};

/** The workflow's inputs and outputs as formal parameters, of the kinds that their values were. */
function parametersOf(
  graph: Graph,
  { workflow }: CrateSource,
  met: Values,
): { readonly input: readonly Ref[]; readonly output: readonly Ref[] } {
  const add = (direction: Direction, one: Parameters<typeof addParameter>[2]): Ref =>
    addParameter(
      graph,
      direction,
      one,
      met.get(parameterId(direction, one.name)) ?? { files: false, values: false },
    );
  return {
    input: workflow.inputs.map(({ optional, ...input }) => add('in', { ...input, required: !optional })),
    output: workflow.outputs.map((output) => add('out', { ...output, required: !isOptional(output.type) })),
  };
}

interface Action {
  readonly main: Ref;
  readonly agent: Ref;
  readonly object: readonly Ref[];
  readonly result: readonly Ref[];
  readonly started: string | null;
  readonly finished: string | null;
}

/** The production as an action, and the run of the engine that made it. */
function addActions(
  graph: Graph,
  { production, rule }: CrateSource,
  { main, agent, object, result, started, finished }: Action,
): Ref {
  const engine = addEngine(graph, production.runner);
  const images = addImages(graph, production);
  const status = STATUS[production.status];
  const times = {
    ...(started === null ? {} : { startTime: started }),
    ...(finished === null ? {} : { endTime: finished }),
  };
  const action = graph.add({
    '@id': local('production', production.id),
    '@type': 'CreateAction',
    identifier: production.id,
    name: `${rule.name}@${rule.version} for ${production.entityType}`,
    description: `The production ${production.id}: a run of ${rule.name}@${rule.version} by ${production.runner ?? 'an unknown runner'}, requested by ${production.requestedBy}.`,
    instrument: main,
    agent,
    ...(object.length === 0 ? {} : { object: references(object.map((one) => one['@id'])) }),
    ...(result.length === 0 ? {} : { result: references(result.map((one) => one['@id'])) }),
    ...(images.length === 0 ? {} : { containerImage: references(images.map((one) => one['@id'])) }),
    ...(status === undefined ? {} : { actionStatus: status }),
    ...times,
  });
  graph.add({
    '@id': '#engine-run',
    '@type': 'OrganizeAction',
    name: `Run of ${production.runner ?? 'the runner'}`,
    instrument: engine,
    agent,
    result: action,
    ...times,
  });
  return action;
}

function addProfiles(graph: Graph): void {
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
}

/** The content of `ro-crate-metadata.json`. Data is named by where it is: the crate is detached from it. */
export function workflowRunCrate(source: CrateSource): {
  readonly '@context': readonly string[];
  readonly '@graph': readonly unknown[];
} {
  const { production, rule, entities, settings } = source;
  const graph = new Graph();
  const met: Values = new Map();
  const ended = production.finishedAt ?? null;
  const started = production.startedAt === null ? null : crateTime(production.startedAt);
  const finished = ended === null ? null : crateTime(ended);
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
  const parameters = parametersOf(graph, source, met);
  const main = addWorkflow(graph, source, {
    ...parameters,
    creator: addAgent(graph, rule.registeredBy, operator),
    license,
    registeredAt: crateTime(rule.registeredAt),
  });
  const agent = addAgent(graph, production.requestedBy, operator);
  const action = addActions(graph, source, { main, agent, object, result, started, finished });
  addProfiles(graph);
  graph.add({
    '@id': './',
    '@type': 'Dataset',
    name: root,
    description: rule.description ?? `The results of the production ${production.id} and their inputs.`,
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
