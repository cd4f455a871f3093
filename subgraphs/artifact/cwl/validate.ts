// Checks a CWL workflow as text, and says what it takes and gives (docs/reference/artifact.md#cwl-versions,
// docs/reference/artifact.md#what-is-refused).
import type { CwlType } from './cwl-type.ts';
import { isMapping, listOf, type Mapping, shortName } from './entries.ts';
import { type CwlProblem, Problems } from './problem.ts';
import { Checker } from './process.ts';
import type { Process } from './process-model.ts';
import { type CwlFile, type ReadDocument, Reader } from './reader.ts';
import { type CwlDemands, Demands } from './requirements.ts';
import type { ProcessClass } from './structure.ts';
import { CWL_VERSIONS, type CwlVersion, isCwlVersion } from './versions.ts';

export interface CwlInput {
  readonly name: string;
  readonly type: CwlType;
  /** Whether it may be left out: null is one of its values, or it has a default. */
  readonly optional: boolean;
  /** The format that a file has to have, where it is one and no expression says it. */
  readonly format?: string;
  /**
   * Patterns of what has to stand beside a file; one that ends with `?` may be missing. Expressions are left
   * out: only the run can tell.
   */
  readonly secondaryFiles?: readonly string[];
}

export interface CwlOutput {
  readonly name: string;
  readonly type: CwlType;
}

/** A process that a workflow runs, or that is run by one that it runs. */
export interface CwlPart {
  /** Of its document. */
  readonly url: string;
  /** Its id in the document, or its place in it; empty where the document is nothing else. */
  readonly fragment: string;
  readonly kind: ProcessClass;
  readonly label: string | null;
  readonly steps: readonly CwlStep[];
}

export interface CwlStep {
  readonly name: string;
  /** Which of the parts it runs. */
  readonly part: number;
}

export interface CwlWorkflow {
  readonly version: CwlVersion;
  /** `Operation` describes a workflow and cannot be run. */
  readonly kind: ProcessClass;
  readonly inputs: readonly CwlInput[];
  readonly outputs: readonly CwlOutput[];
  readonly demands: CwlDemands;
  /** Its own steps; none for what is no workflow. */
  readonly steps: readonly CwlStep[];
  /** What its steps run, to any depth, each once. */
  readonly parts: readonly CwlPart[];
  /** URLs of all documents that it is made of, itself first. */
  readonly documents: readonly string[];
}

export type CwlResult =
  | { readonly valid: true; readonly workflow: CwlWorkflow }
  /** At least one problem, in the order they were found. */
  | { readonly valid: false; readonly problems: readonly CwlProblem[] };

export interface CwlOptions {
  /**
   * What the document is called, and what relative addresses in it are relative to; a fragment names a
   * process of a packed document.
   */
  readonly url: string;
  /** Reads other documents that it refers to; without it there are none to be had. */
  readonly read?: ReadDocument;
}

const refuse: ReadDocument = () => Promise.reject(new Error('other documents cannot be read from here'));

/** The processes of a document with their paths: of a packed one all, else the one that it is. */
function processesOf({
  value,
}: CwlFile): { readonly value: unknown; readonly path: readonly (string | number)[] }[] {
  if (!isMapping(value) || value['$graph'] === undefined) return [{ value, path: [] }];
  return listOf(value['$graph']).map((item, i) => ({ value: item, path: ['$graph', i] }));
}

const nameOf = (value: unknown): string => (isMapping(value) ? shortName(value['id']) : '');

const isPlain = (text: unknown): text is string => typeof text === 'string' && !/\$[({]/.test(text);

/** What an input says of its files. */
function aboutFiles({ format, secondaryFiles }: Mapping): Pick<CwlInput, 'format' | 'secondaryFiles'> {
  const [known] = listOf(format).filter(isPlain);
  const patterns = listOf(secondaryFiles).flatMap((wanted) => {
    if (isPlain(wanted)) return [wanted];
    if (!isMapping(wanted) || !isPlain(wanted['pattern'])) return [];
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

/** More than these are not told of: a workflow may run as many as there is room for. */
const MAX_PARTS = 500;

/** Everything that steps run, as a list: what is run twice is there once. */
function partsOf(process: Process): Pick<CwlWorkflow, 'steps' | 'parts'> {
  const numbers = new Map<Process, number>();
  const parts: CwlPart[] = [];
  const stepsOf = ({ steps }: Process): readonly CwlStep[] =>
    steps.flatMap(({ name, runs }) => {
      const part = numbers.get(runs) ?? (parts.length < MAX_PARTS ? add(runs) : null);
      return part === null ? [] : [{ name, part }];
    });
  const add = (runs: Process): number => {
    const {
      kind,
      place: { url, id, path, label },
    } = runs;
    const number = parts.length;
    numbers.set(runs, number);
    const part = { url, fragment: id === '' ? path.join('/') : id, kind, label };
    parts.push({ ...part, steps: [] }); // its number comes before those of what it runs
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
    inputs: inputs.map(({ name, type, optional, hasDefault, value }) => ({
      name,
      type,
      optional: optional || hasDefault,
      ...aboutFiles(value),
    })),
    outputs: outputs.map(({ name, type }) => ({ name, type })),
  };
}

/**
 * Checks a workflow, version 1.0 to 1.2, packed or not: YAML, structure, versions, types, links. Never throws
 * for what the text holds. Of a packed document the process `main` is meant, or the one that the URL's
 * fragment names, or the only one.
 */
export async function validateCwl(text: string, { url, read = refuse }: CwlOptions): Promise<CwlResult> {
  const [address = url, fragment = ''] = url.split('#', 2);
  const problems = new Problems();
  const reader = new Reader(read, problems);
  const demands = new Demands();
  const file = await reader.open(address, text);
  const failed = (): CwlResult => ({ valid: false, problems: problems.all });
  if (problems.any) return failed();

  const root: Mapping | null = isMapping(file.value) ? file.value : null;
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
      processes.length === 0 ? '`$graph` is empty' : `none of the processes is called ${wanted}`,
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
