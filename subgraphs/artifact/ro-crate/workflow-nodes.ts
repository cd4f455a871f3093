// The workflow in a crate: its main document, its steps, their tools and workflows, and its language.
import { createHash } from 'node:crypto';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import { resolvedFrom } from '../cwl-source/workflow-identity.ts';
import { type Graph, local, type Node, type Ref, ref } from './graph.ts';

const LANGUAGE = 'https://w3id.org/workflowhub/workflow-ro-crate#cwl';
const WORKFLOW_PROFILE = 'https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE';

export interface WorkflowSource {
  readonly rule: {
    readonly name: string;
    readonly version: number;
    readonly description: string | null;
    readonly cwlHash: string;
    readonly workflowHash: string | null;
    readonly registeredAt: string;
  };
  readonly workflow: KnownWorkflow;
  /** The address it was fetched from; null for an embedded one. */
  readonly workflowUrl: string | null;
  readonly workflowText: string;
}

/** The location-independent identifier of a text: its Software Heritage identifier, as a URL. */
function intrinsicAddress(text: string): string {
  const bytes = Buffer.from(text);
  return `https://identifiers.org/swh:1:cnt:${createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')}`;
}

/** Adds the language of the workflow. */
function addLanguage(graph: Graph, { version }: KnownWorkflow): Ref {
  return graph.add({
    '@id': LANGUAGE,
    '@type': 'ComputerLanguage',
    name: 'Common Workflow Language',
    alternateName: 'CWL',
    version,
    url: ref('https://www.commonwl.org/'),
  });
}

/** Tools and workflows of steps, each with its own parts. @returns the name of each part */
function addParts(
  graph: Graph,
  { workflow: { parts = [] }, workflowUrl, rule }: WorkflowSource,
  main: string,
  language: Ref,
): readonly string[] {
  const ids = parts.map(({ reference, fragment }, i) => {
    const document =
      reference === '' ? main : resolvedFrom(workflowUrl ?? 'https://inline.invalid/workflow.cwl', reference);
    return `${document}#${encodeURIComponent(fragment === '' ? `part-${i + 1}` : fragment)}`;
  });
  const version = rule.workflowHash ?? rule.cwlHash;
  for (const [i, { kind, label, fragment, reference, steps }] of parts.entries()) {
    const id = ids[i] ?? main;
    const name =
      label ?? (fragment === '' || fragment.includes('/') ? (reference.split('/').at(-1) ?? kind) : fragment);
    const about = { name: name === '' ? kind : name, url: id.replace(/#.*$/s, '') };
    const node: Node =
      kind === 'Workflow'
        ? {
            '@id': id,
            '@type': ['SoftwareSourceCode', 'ComputationalWorkflow', 'HowTo'],
            ...about,
            version,
            programmingLanguage: language,
            ...stepsOf(graph, id, steps, ids),
          }
        : {
            '@id': id,
            '@type': 'SoftwareApplication',
            ...about,
            softwareVersion: version,
            description: `A CWL ${kind}; it has the version of the workflow that contains it.`,
          };
    graph.add(node);
  }
  return ids;
}

function stepsOf(
  graph: Graph,
  id: string,
  steps: KnownWorkflow['steps'] = [],
  ids: readonly string[],
): Pick<Node, string> {
  if (steps.length === 0) return {};
  const step = steps.map(({ name, part }, i) =>
    graph.add({
      '@id': local('step', id, name),
      '@type': 'HowToStep',
      name,
      position: String(i + 1),
      workExample: ref(ids[part] ?? id),
    }),
  );
  return { step, hasPart: [...new Set(steps.map(({ part }) => ids[part] ?? id))].map(ref) };
}

/** The main entity of the crate. @returns its id */
export function addWorkflow(
  graph: Graph,
  source: WorkflowSource,
  more: {
    readonly input: readonly Ref[];
    readonly output: readonly Ref[];
    readonly creator: Ref;
    readonly license: Ref;
    readonly registeredAt: string;
  },
): Ref {
  const { rule, workflow, workflowUrl, workflowText } = source;
  const main = workflowUrl ?? intrinsicAddress(workflowText);
  const language = addLanguage(graph, workflow);
  graph.add({
    '@id': WORKFLOW_PROFILE,
    '@type': 'CreativeWork',
    name: 'ComputationalWorkflow',
    version: '1.0-RELEASE',
  });
  const ids = addParts(graph, source, main, language);
  const steps = stepsOf(graph, main, workflow.steps, ids);
  const { input, output, creator, license, registeredAt } = more;
  return graph.add({
    '@id': main,
    '@type': [
      'File',
      'SoftwareSourceCode',
      'ComputationalWorkflow',
      ...(steps['step'] === undefined ? [] : ['HowTo']),
    ],
    name: `${rule.name}@${rule.version}`,
    ...(rule.description === null ? {} : { description: rule.description }),
    encodingFormat: 'application/cwl',
    contentSize: String(Buffer.byteLength(workflowText)),
    sdDatePublished: registeredAt,
    dateCreated: registeredAt,
    sha256: rule.cwlHash.replace('sha256:', ''),
    text: workflowText,
    url: main,
    version: String(rule.version),
    ...(rule.workflowHash === null ? {} : { identifier: rule.workflowHash }),
    programmingLanguage: language,
    input,
    output,
    creator,
    license,
    conformsTo: ref(WORKFLOW_PROFILE),
    ...steps,
  });
}
