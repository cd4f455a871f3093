// Validates a CWL workflow's text, and determines its inputs and outputs
// (docs/reference/artifact.md#cwl-versions, docs/reference/artifact.md#what-is-refused).
import { isObject } from '../../../platform/json-object.ts';
import type { CwlType } from './cwl-type.ts';
import { listOf, type Mapping, shortName } from './entries.ts';
import { type CwlProblem, Problems } from './problem.ts';
import { Checker } from './process.ts';
import type { Linked, Process, StepRun } from './process-model.ts';
import { type CwlFile, type ReadDocument, Reader } from './reader.ts';
import { type CwlDemands, Demands } from './requirements.ts';
import type { ProcessClass } from './structure.ts';
import { CWL_VERSIONS, type CwlVersion, isCwlVersion } from './versions.ts';

export interface CwlInput {
  readonly name: string;
  readonly type: CwlType;
  /** Whether it is optional: null is one of its values, or it has a default. */
  readonly optional: boolean;
  /** What it is where nothing is given: a number, a truth value or a short text; absent for any other default. */
  readonly default?: string | number | boolean;
  /** The required format of a file, if it has exactly one without an expression. */
  readonly format?: string;
  /**
   * Patterns of secondary files; one that ends with `?` is optional. Expressions are omitted, because only a
   * run can evaluate them.
   */
  readonly secondaryFiles?: readonly string[];
}

export interface CwlOutput {
  readonly name: string;
  readonly type: CwlType;
}

/** A process that a workflow runs directly or indirectly. */
export interface CwlPart {
  /** The address of its document. */
  readonly url: string;
  /** Its id in the document, or its path; empty if it is the whole document. */
  readonly fragment: string;
  readonly kind: ProcessClass;
  readonly label: string | null;
  readonly steps: readonly CwlStep[];
}

export interface CwlStep extends Partial<Pick<StepRun, 'inputs' | 'isScattered' | 'isConditional'>> {
  readonly name: string;
  /** Indexes of the parts that it runs. */
  readonly part: number;
}

export interface CwlWorkflow {
  readonly version: CwlVersion;
  /** `Operation` is abstract and cannot be run. */
  readonly kind: ProcessClass;
  readonly inputs: readonly CwlInput[];
  readonly outputs: readonly CwlOutput[];
  readonly demands: CwlDemands;
  /** Its own steps; none for other classes. */
  readonly steps: readonly CwlStep[];
  /** What its outputs come from; absent for one that was stored before links were recorded. */
  readonly links?: readonly Linked[];
  /** The processes of its steps, to any depth, each once. */
  readonly parts: readonly CwlPart[];
  /** URLs of all its documents, itself first. */
  readonly documents: readonly string[];
}

export type CwlResult =
  | { readonly valid: true; readonly workflow: CwlWorkflow }
  /** At least one problem, in the order they were found. */
  | { readonly valid: false; readonly problems: readonly CwlProblem[] };

export interface CwlOptions {
  /**
   * The document's name, and the base of its relative addresses; a fragment names a process of a packed
   * document.
   */
  readonly url: string;
  /** Reads referenced documents; without it none are available. */
  readonly read?: ReadDocument;
}

const refuse: ReadDocument = () => Promise.reject(new Error('other documents cannot be read from here'));

/** The processes of a document with their paths: all of a packed document, else one. */
function processesOf({
  value,
}: CwlFile): { readonly value: unknown; readonly path: readonly (string | number)[] }[] {
  if (!isObject(value) || value['$graph'] === undefined) return [{ value, path: [] }];
  return listOf(value['$graph']).map((item, i) => ({ value: item, path: ['$graph', i] }));
}

const nameOf = (value: unknown): string => (isObject(value) ? shortName(value['id']) : '');

const isPlain = (text: unknown): text is string => typeof text === 'string' && !/\$[({]/.test(text);

/** Aliases of YAML may repeat a long text. */
const MAX_DEFAULT_LENGTH = 1000;

function plainDefault({ default: value }: Mapping): Pick<CwlInput, 'default'> {
  const isPlainValue =
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= MAX_DEFAULT_LENGTH);
  return isPlainValue ? { default: value } : {};
}

/** The file properties of an input. */
function aboutFiles({ format, secondaryFiles }: Mapping): Pick<CwlInput, 'format' | 'secondaryFiles'> {
  const [known] = listOf(format).filter(isPlain);
  const patterns = listOf(secondaryFiles).flatMap((wanted) => {
    if (isPlain(wanted)) return [wanted];
    if (!isObject(wanted) || !isPlain(wanted['pattern'])) return [];
    return [
      wanted['required'] === undefined || wanted['required'] === true
        ? wanted['pattern']
        : `${wanted['pattern']}?`,
    ];
  });
  return {
    ...(known === undefined ? {} : { format: known }),
    ...(patterns.length === 0 ? {} : { secondaryFiles: patterns }),
  };
}

/** Maximum listed steps. */
const MAX_PARTS = 500;

/** All processes of the steps as a list, without duplicates. */
function partsOf(process: Process): Pick<CwlWorkflow, 'steps' | 'parts'> {
  const numbers = new Map<Process, number>();
  const parts: CwlPart[] = [];
  const stepsOf = ({ steps }: Process): readonly CwlStep[] =>
    steps.flatMap(({ runs, ...step }) => {
      const part = numbers.get(runs) ?? (parts.length < MAX_PARTS ? add(runs) : null);
      return part === null ? [] : [{ ...step, part }];
    });
  const add = (runs: Process): number => {
    const {
      kind,
      place: { url, id, path, label },
    } = runs;
    const number = parts.length;
    numbers.set(runs, number);
    const part = { url, fragment: id === '' ? path.join('/') : id, kind, label };
    parts.push({ ...part, steps: [] }); // its index precedes those of its parts
    parts[number] = { ...part, steps: stepsOf(runs) };
    return number;
  };
  return { steps: stepsOf(process), parts };
}

function summary(process: Process, demands: CwlDemands, documents: readonly string[]): CwlWorkflow {
  const { version, kind, inputs, outputs } = process;
  return {
    version,
    kind,
    demands,
    documents,
    ...partsOf(process),
    links: process.links,
    inputs: inputs.map(({ name, type, optional, hasDefault, value }) => ({
      name,
      type,
      optional: optional || hasDefault,
      ...plainDefault(value),
      ...aboutFiles(value),
    })),
    outputs: outputs.map(({ name, type }) => ({ name, type })),
  };
}

/**
 * Validates a workflow, version 1.0 to 1.2, packed or not: YAML, structure, versions, types, links. Never
 * throws for the text's content. In a packed document it selects the process named by the URL's fragment,
 * else `main`, else the only one.
 */
export async function validateCwl(text: string, { url, read = refuse }: CwlOptions): Promise<CwlResult> {
  const [address = url, fragment = ''] = url.split('#', 2);
  const problems = new Problems();
  const reader = new Reader(read, problems);
  const demands = new Demands();
  const file = await reader.open(address, text);
  const failed = (): CwlResult => ({ valid: false, problems: problems.all });
  if (problems.any) return failed();

  const root: Mapping | null = isObject(file.value) ? file.value : null;
  if (root === null) reader.report(file, [], 'not a CWL document: it must be a map');
  const version = root?.['cwlVersion'];
  if (root !== null && !isCwlVersion(version)) {
    reader.report(
      file,
      ['cwlVersion'],
      version === undefined
        ? '`cwlVersion` is missing'
        : `\`cwlVersion\` must be one of ${CWL_VERSIONS.join(', ')}, not ${JSON.stringify(version)}`,
    );
  }
  if (!isCwlVersion(version)) return failed();

  const processes = processesOf(file);
  const wanted = fragment === '' ? 'main' : shortName(fragment);
  const main =
    processes.find(({ value }) => nameOf(value) === wanted) ??
    (processes.length === 1 && fragment === '' ? processes[0] : undefined);
  if (main === undefined)
    reader.report(
      file,
      ['$graph'],
      processes.length === 0 ? '`$graph` is empty' : `the document has no process named ${wanted}`,
    );
  const checker = new Checker(reader, demands);
  const checked = new Map<unknown, Process | null>();
  for (const { value, path } of processes)
    checked.set(value, await checker.check(value, { file, path, version, types: [], within: [] }));
  const process = checked.get(main?.value);
  return problems.any || process === undefined || process === null
    ? failed()
    : { valid: true, workflow: summary(process, demands.all, reader.urls) };
}
