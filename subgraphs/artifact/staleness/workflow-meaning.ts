// Documents of a workflow without what makes no difference to a run: comments, layout, the order of keys, labels and
// documentation.
import { isList, isObject } from '../../../platform/json-object.ts';
import { type PartDifference, partDifferences } from '../../../platform/part-differences.ts';
import { CwlSource } from '../cwl/source.ts';
import type { KeptWorkflow } from '../cwl-source/kept-workflow.store.ts';

/** By reference from the main document, which is ''. */
export type WorkflowMeaning = ReadonlyMap<string, unknown>;

const DOCUMENTING = ['doc', 'label'];

const undocumented = (value: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(value).filter(([name]) => !DOCUMENTING.includes(name));

/** Parts of a list by their ids, as CWL may write them too; null where any has none of its own. */
function byId(parts: readonly unknown[]): Readonly<Record<string, unknown>> | null {
  const entries = parts.flatMap((part): [string, unknown][] => {
    if (!isObject(part) || typeof part['id'] !== 'string') return [];
    const { id, ...held } = part;
    return [[id, held]];
  });
  const distinct = new Map(entries);
  return distinct.size === parts.length ? Object.fromEntries(distinct) : null;
}

/**
 * Parts by their ids, however they are written: `doc` and `label` may be ids. An input or output that is not an object
 * is its type.
 */
function partsOf(kind: string, written: unknown): unknown {
  const value = isList(written) ? (byId(written) ?? written) : written;
  if (isList(value)) return value.map(partOf);
  if (!isObject(value)) return value;
  const whole = (part: unknown): unknown => (kind === 'steps' || isObject(part) ? part : { type: part });
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, partOf(whole(part))]));
}

const partOf = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        undocumented(value).map(([name, held]) => [name, name === 'run' ? processOf(held) : held]),
      )
    : value;

const PARTS = ['inputs', 'outputs', 'steps'];

/** A process, or a document of several. */
function processOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    undocumented(value).map(([name, held]) => {
      if (name === '$graph' && isList(held)) return [name, held.map(processOf)];
      return [name, PARTS.includes(name) ? partsOf(name, held) : held];
    }),
  );
}

/** What a workflow's documents mean. */
export const meaningOf = ({ documents }: Pick<KeptWorkflow, 'documents'>): WorkflowMeaning =>
  new Map(
    documents.map(({ reference, content }) => [
      reference,
      processOf(new CwlSource(reference, content).value),
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
