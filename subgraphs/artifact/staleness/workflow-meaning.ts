// Documents of a workflow without what makes no difference to a run: comments, layout, notations, the order of keys, and
// what only describes.
import { isList, isObject } from '../../../platform/json-object.ts';
import { type PartDifference, partDifferences } from '../../../platform/part-differences.ts';
import { CwlSource } from '../cwl/source.ts';
import type { KeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { eachBy, longForm, meantFields, whole } from './cwl-notations.ts';

/** By reference from the main document, which is ''. */
export type WorkflowMeaning = ReadonlyMap<string, unknown>;

/**
 * Parts by their ids, however they are written: what describes may be an id. An input or output that is not an object
 * is its type.
 */
const partsOf = (kind: string, written: unknown): unknown =>
  eachBy('id', written, (part) => partOf(kind === 'steps' ? part : whole(part, 'type')));

const partOf = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        meantFields(value).map(([name, held]) => [
          name,
          name === 'run' ? processOf(held) : longForm(name, held),
        ]),
      )
    : value;

const PARTS = ['inputs', 'outputs', 'steps'];

/** A process, or a document of several. */
function processOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { $namespaces: prefixes, ...rest } = value;
  const process = Object.fromEntries(
    meantFields(rest).map(([name, held]) => {
      if (name === '$graph' && isList(held)) return [name, held.map(processOf)];
      return [name, PARTS.includes(name) ? partsOf(name, held) : longForm(name, held)];
    }),
  );
  const used = isObject(prefixes) ? usedPrefixes(prefixes, JSON.stringify(process)) : {};
  return Object.keys(used).length === 0 ? process : { ...process, $namespaces: used };
}

/** Those that mean something in what is left, such as formats of files. */
const usedPrefixes = (
  prefixes: Readonly<Record<string, unknown>>,
  text: string,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(prefixes).filter(([prefix]) => text.includes(`"${prefix}:`)));

/**
 * A document: a process; or a fragment that another imports, of which every field may mean something, so that only comments
 * and layout do not; or a text that another includes, such as a program, of which everything does.
 */
function documentOf(content: string, { value }: CwlSource): unknown {
  if (!isObject(value)) return isList(value) ? value : content;
  return 'class' in value || '$graph' in value ? processOf(value) : value;
}

/** What a workflow's documents mean. */
export const meaningOf = ({ documents }: Pick<KeptWorkflow, 'documents'>): WorkflowMeaning =>
  new Map(
    documents.map(({ reference, content }) => [
      reference,
      documentOf(content, new CwlSource(reference, content)),
    ]),
  );

/** Parts by their names: those of a list by their ids, or where they have none by their places. */
function byName(parts: unknown): unknown {
  if (!isList(parts)) return parts;
  return Object.fromEntries(
    parts.map((part, i) => [isObject(part) && typeof part['id'] === 'string' ? part['id'] : `${i}`, part]),
  );
}

/** How two processes differ: steps first. */
function processDifferences(
  before: unknown,
  after: unknown,
  path: readonly string[],
): readonly PartDifference[] {
  if (!isObject(before) || !isObject(after)) return partDifferences(before, after, 0, path);
  const names = ['steps', ...Object.keys(before), ...Object.keys(after)];
  return [...new Set(names)].flatMap((name) => {
    const [depth, of] = PARTS.includes(name) ? [1, byName] : [0, (value: unknown) => value];
    return partDifferences(of(before[name]), of(after[name]), depth, [...path, name]);
  });
}

/**
 * How workflows differ in what they mean: parts of the main document below `workflow`, and of each other one below
 * `documents` and its reference. None where they mean the same.
 */
export const workflowDifferences = (
  before: WorkflowMeaning,
  after: WorkflowMeaning,
): readonly PartDifference[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((reference) =>
    processDifferences(
      before.get(reference),
      after.get(reference),
      reference === '' ? ['workflow'] : ['documents', reference],
    ),
  );

function inWords([document, name, part]: readonly string[]): string {
  if (document === 'documents') return `document ${name} differs`;
  if (name === undefined) return 'the workflow differs';
  return name === 'steps' && part !== undefined ? `step ${part} differs` : `${name} differ`;
}

/** The same in words, each once. */
export const workflowChanges = (before: WorkflowMeaning, after: WorkflowMeaning): readonly string[] => [
  ...new Set(workflowDifferences(before, after).map(({ path }) => inWords(path))),
];
