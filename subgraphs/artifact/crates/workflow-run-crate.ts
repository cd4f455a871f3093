// Writes what is known of a production as a Workflow Run Crate: RO-Crate 1.1 metadata by the Workflow Run RO-Crate profile 0.5.
import { type CwlType, isOptional, withoutNull } from '../cwl/cwl-type.ts';
import { isFileValue } from '../cwl/file-value.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { Production } from '../productions/productions.store.ts';
import type { StoredEntity } from '../resolution/entities.ts';

export interface CrateFile { readonly location: string; readonly hash: string | null; readonly size: number | null; readonly name: string | null; readonly field: string }

export interface DatedEntity extends StoredEntity { readonly createdAt: string }

export interface CrateSource {
  readonly production: Production;
  readonly rule: { readonly name: string; readonly version: number; readonly description: string | null; readonly cwlHash: string; readonly registeredBy: string };
  readonly workflow: KnownWorkflow;
  /** Where the workflow was fetched from; null for one that came with the rule. */
  readonly workflowUrl: string | null;
  readonly workflowText: string;
  /** What it made, as far as the reader may see it, each with its files. */
  readonly entities: readonly { readonly entity: DatedEntity; readonly files: readonly CrateFile[] }[];
  readonly inputFiles: ReadonlyMap<string, CrateFile>;
}

type Node = Readonly<Record<string, unknown>>;
const ref = (id: string): { readonly '@id': string } => ({ '@id': id });

const PROFILES = ['https://w3id.org/ro/wfrun/process/0.5', 'https://w3id.org/ro/wfrun/workflow/0.5', 'https://w3id.org/workflowhub/workflow-ro-crate/1.0'];
const PARAMETER_PROFILE = 'https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE';

/** A URI by which content names itself (RFC 6920). */
const namedBy = (hash: string): string => `ni:///sha-256;${Buffer.from(hash.replace('sha256:', ''), 'hex').toString('base64url')}`;

function additionalType(type: CwlType): string {
  const value = withoutNull(type);
  switch (value.kind) {
    case 'File': return 'File';
    case 'Directory': return 'Dataset';
    case 'int': case 'long': return 'Integer';
    case 'float': case 'double': return 'Float';
    case 'boolean': return 'Boolean';
    case 'string': case 'enum': return 'Text';
    case 'array': return additionalType(value.items);
    case 'record': case 'Any': case 'union': case 'null': return 'PropertyValue';
    default: return value satisfies never;
  }
}

const parameter = (direction: 'in' | 'out', { name, type }: { readonly name: string; readonly type: CwlType }, required: boolean): Node => ({
  '@id': `#param-${direction}-${encodeURIComponent(name)}`, '@type': 'FormalParameter', name, additionalType: additionalType(type), valueRequired: required,
  ...(withoutNull(type).kind === 'array' ? { multipleValues: true } : {}), conformsTo: ref(PARAMETER_PROFILE),
});

const fileNode = ({ location, hash, size, name }: CrateFile, more: Node): Node => ({
  '@id': location, '@type': 'File', ...(name === null ? {} : { name }), ...(size === null ? {} : { contentSize: String(size) }), ...(hash === null ? {} : { sha256: hash.replace('sha256:', '') }), ...more,
});

const isFile = (value: unknown): value is { readonly location: string } => isFileValue(value);

/** An input's values: its files, or itself. */
function inputNodes(name: string, value: unknown, files: ReadonlyMap<string, CrateFile>): readonly Node[] {
  const work = { exampleOfWork: ref(`#param-in-${encodeURIComponent(name)}`) };
  const found = (Array.isArray(value) ? value : [value]).filter(isFile);
  if (found.length > 0) return found.map(({ location }) => fileNode(files.get(location) ?? { location, hash: null, size: null, name: null, field: name }, work));
  return [{ '@id': `#input-${encodeURIComponent(name)}`, '@type': 'PropertyValue', name, value: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value), ...work }];
}

function entityNode({ entity: { id, entityType, data, createdAt }, files }: CrateSource['entities'][number]): Node {
  return {
    '@id': `#entity-${encodeURIComponent(id)}`, '@type': 'CreativeWork', identifier: id, name: `${entityType} ${id}`, additionalType: entityType, dateCreated: createdAt,
    hasPart: files.map(({ location }) => ref(location)),
    additionalProperty: Object.entries(data).map(([name, value]) => ({ '@type': 'PropertyValue', name, value: typeof value === 'object' ? JSON.stringify(value) : value })),
  };
}

const STATUS: Readonly<Record<string, string>> = { completed: 'CompletedActionStatus', failed: 'FailedActionStatus', running: 'ActiveActionStatus' };

/** The content of `ro-crate-metadata.json`. Data is named by where it is: the crate is detached from it. */
export function workflowRunCrate({ production, rule, workflow, workflowUrl, workflowText, entities, inputFiles }: CrateSource): Node {
  const main = workflowUrl ?? namedBy(rule.cwlHash);
  const inputs = Object.entries(production.inputs as Readonly<Record<string, unknown>>).flatMap(([name, value]) => inputNodes(name, value, inputFiles));
  const outputs = entities.flatMap(({ files }) => files.map((file) => fileNode(file, { exampleOfWork: ref(`#param-out-${encodeURIComponent(outputOf(file.field, workflow))}`) })));
  const made = entities.map(entityNode);
  const agent = { '@id': `#agent-${encodeURIComponent(production.requestedBy)}`, '@type': production.requestedBy.startsWith('service:') ? 'SoftwareApplication' : 'Person', name: production.requestedBy };
  const engine = { '@id': '#engine', '@type': 'SoftwareApplication', name: production.runner ?? 'unknown' };
  const parametersIn = workflow.inputs.map((input) => parameter('in', input, !input.optional));
  const parametersOut = workflow.outputs.map((output) => parameter('out', output, !isOptional(output.type)));
  const action = {
    '@id': `#production-${production.id}`, '@type': 'CreateAction', identifier: production.id, name: `${rule.name}@${rule.version} for ${production.entityType}`,
    instrument: ref(main), agent: ref(agent['@id']), object: inputs.map((node) => ref(String(node['@id']))), result: [...outputs, ...made].map((node) => ref(String(node['@id']))),
    actionStatus: `http://schema.org/${STATUS[production.status] ?? 'PotentialActionStatus'}`,
    ...(production.startedAt === null ? {} : { startTime: production.startedAt }), ...(production.finishedAt === null ? {} : { endTime: production.finishedAt }),
  };
  const files = new Map<string, Node>();
  for (const node of [...inputs.filter((one) => one['@type'] === 'File'), ...outputs]) { // one content may be input and output
    const id = String(node['@id']);
    const before = files.get(id);
    files.set(id, before === undefined ? node : { ...before, ...node, exampleOfWork: [before['exampleOfWork'], node['exampleOfWork']].flat() });
  }
  return {
    '@context': ['https://w3id.org/ro/crate/1.1/context', 'https://w3id.org/ro/terms/workflow-run/context'],
    '@graph': [
      { '@id': 'ro-crate-metadata.json', '@type': 'CreativeWork', conformsTo: [ref('https://w3id.org/ro/crate/1.1'), ref('https://w3id.org/workflowhub/workflow-ro-crate/1.0')], about: ref('./') },
      {
        '@id': './', '@type': 'Dataset', name: `${production.entityType}, made by ${rule.name}@${rule.version}`, description: rule.description ?? `What the production ${production.id} made, and of what.`,
        datePublished: production.finishedAt ?? production.requestedAt, license: 'not stated', conformsTo: PROFILES.map(ref), mainEntity: ref(main), mentions: [ref(action['@id'])],
        hasPart: [ref(main), ...[...files.keys()].map(ref)],
      },
      ...PROFILES.map((id) => ({ '@id': id, '@type': 'CreativeWork', name: id.split('/').slice(-2).join(' '), version: id.split('/').at(-1) })),
      { '@id': PARAMETER_PROFILE, '@type': 'CreativeWork', name: 'FormalParameter', version: '1.0-RELEASE' },
      {
        '@id': main, '@type': ['File', 'SoftwareSourceCode', 'ComputationalWorkflow'], name: `${rule.name}@${rule.version}`, encodingFormat: 'application/cwl', sha256: rule.cwlHash.replace('sha256:', ''), text: workflowText,
        programmingLanguage: ref('https://w3id.org/workflowhub/workflow-ro-crate#cwl'), input: parametersIn.map((p) => ref(String(p['@id']))), output: parametersOut.map((p) => ref(String(p['@id']))), author: ref('#author'),
      },
      { '@id': '#author', '@type': 'Person', name: rule.registeredBy },
      { '@id': 'https://w3id.org/workflowhub/workflow-ro-crate#cwl', '@type': 'ComputerLanguage', name: 'Common Workflow Language', alternateName: 'CWL', version: workflow.version, url: ref('https://www.commonwl.org/') },
      ...parametersIn, ...parametersOut, action, agent, engine,
      { '@id': '#engine-run', '@type': 'OrganizeAction', name: `Run of ${production.runner ?? 'the runner'}`, instrument: ref(engine['@id']), result: ref(action['@id']) },
      ...inputs.filter((node) => node['@type'] !== 'File'), ...files.values(), ...made,
    ],
  };
}

/** The output that a field's file is of: the output itself, or the one whose record holds it. */
function outputOf(field: string, { outputs }: KnownWorkflow): string {
  const name = field.split(/[/[.]/)[0] ?? field;
  const record = outputs.find(({ type }) => { const value = withoutNull(type); return value.kind === 'record' && value.fields.some((one) => one.name === name); });
  return outputs.find((output) => output.name === name)?.name ?? record?.name ?? outputs[0]?.name ?? name;
}
