// Documents of a workflow without what makes no difference to a run: comments, layout, the order of keys, labels and
// documentation.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { isList, isObject } from '../../../platform/json-object.ts';
import { CwlSource } from '../cwl/source.ts';
import type { KeptWorkflow } from '../cwl-source/kept-workflow.store.ts';

/** By reference from the main document, which is ''. */
export type WorkflowMeaning = ReadonlyMap<string, unknown>;

/** Characters of a workflow's documents; larger ones, which take long to read, are compared as text. */
const MAX_CHARACTERS = 2 ** 18;
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
export function meaningOf({ documents }: KeptWorkflow): WorkflowMeaning {
  const isLarge = documents.reduce((sum, { content }) => sum + content.length, 0) > MAX_CHARACTERS;
  return new Map(
    documents.map(({ reference, content }) => [
      reference,
      isLarge ? content : processOf(new CwlSource(reference, content).value),
    ]),
  );
}

/** Steps by their names, however they are written. */
function stepsOf(document: unknown): ReadonlyMap<string, unknown> {
  const steps = isObject(document) ? document['steps'] : undefined;
  if (isList(steps))
    return new Map(
      steps.map((step, i) => [isObject(step) && typeof step['id'] === 'string' ? step['id'] : `${i}`, step]),
    );
  return new Map(isObject(steps) ? Object.entries(steps) : []);
}

const namesOf = (a: Iterable<string>, b: Iterable<string>): readonly string[] => [...new Set([...a, ...b])];
const isAlike = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);

/** How the documents differ; none where they mean the same. */
export function differences(before: WorkflowMeaning, after: WorkflowMeaning): readonly string[] {
  return namesOf(before.keys(), after.keys()).flatMap((reference) => {
    const [a, b] = [before.get(reference), after.get(reference)];
    if (isAlike(a, b)) return [];
    if (reference !== '') return [`document ${reference} differs`];
    const [stepsBefore, stepsAfter] = [stepsOf(a), stepsOf(b)];
    const steps = namesOf(stepsBefore.keys(), stepsAfter.keys())
      .filter((name) => !isAlike(stepsBefore.get(name), stepsAfter.get(name)))
      .map((name) => `step ${name} differs`);
    if (!isObject(a) || !isObject(b)) return ['the workflow differs'];
    const others = namesOf(Object.keys(a), Object.keys(b))
      .filter((name) => name !== 'steps' && !isAlike(a[name], b[name]))
      .map((name) => `${name} differ`);
    return [...steps, ...others];
  });
}
