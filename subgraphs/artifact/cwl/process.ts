// Checks one process: its structure, its requirements, its parameters and, for a workflow, its steps.
import { isObject } from '../../../platform/json-object.ts';
import { isOptional } from './cwl-type.ts';
import { entriesOf, type Mapping, shortName } from './entries.ts';
import type { CwlPath } from './problem.ts';
import type { Parameter, Process, ProcessChecker, Report, ProcessContext } from './process-model.ts';
import { type NamedTypes, readType } from './read-type.ts';
import type { Reader } from './reader.ts';
import { type Demands, namesImage, readRequirements } from './requirements.ts';
import {
  checkParameter,
  checkProcess,
  isProcessClass,
  PROCESS_CLASSES,
  type ProcessClass,
} from './structure.ts';
import { checkFields, type CwlVersion, isBefore, isCwlVersion } from './versions.ts';
import { checkSteps } from './workflow.ts';

const MAX_WORKFLOW_DEPTH = 20;
const MAX_PARAMETERS = 1000;
const MAX_PROCESSES = 500;

/** Checks processes, each once even if several steps run it. */
export class Checker implements ProcessChecker {
  readonly reader: Reader;
  readonly demands: Demands;
  readonly #known = new Map<Mapping, Promise<Process | null>>();

  constructor(reader: Reader, demands: Demands) {
    this.reader = reader;
    this.demands = demands;
  }

  check(value: unknown, around: ProcessContext): Promise<Process | null> {
    if (!isObject(value)) return this.#none(around, 'a process must be a map');
    if (around.within.includes(value)) return this.#none(around, 'a workflow must not run itself');
    if (around.within.length > MAX_WORKFLOW_DEPTH)
      return this.#none(around, `workflows are nested deeper than ${MAX_WORKFLOW_DEPTH} levels`);
    let known = this.#known.get(value);
    if (known === undefined && this.#known.size >= MAX_PROCESSES)
      return this.#none(around, `a workflow may consist of at most ${MAX_PROCESSES} processes`);
    if (known === undefined) {
      known = this.#check(value, around);
      this.#known.set(value, known);
    }
    return known;
  }

  #none({ file, path }: ProcessContext, message: string): Promise<null> {
    this.reader.report(file, path, message);
    return Promise.resolve(null);
  }

  async #check(process: Mapping, around: ProcessContext): Promise<Process | null> {
    const { file, path } = around;
    const report: Report = (at, message) => {
      this.reader.report(file, at, message);
    };
    const { class: kind, cwlVersion } = process;
    if (!isProcessClass(kind))
      return this.#none(
        { ...around, path: [...path, 'class'] },
        kind === undefined ? '`class` is missing' : `\`class\` must be one of ${PROCESS_CLASSES.join(', ')}`,
      );
    const version = isCwlVersion(cwlVersion) ? cwlVersion : around.version;
    if (kind === 'Operation' && isBefore(version, 'v1.2')) report(path, 'Operation needs cwlVersion v1.2');
    checkFields(process, version, path, report);
    for (const fault of await checkProcess(kind, process)) report([...path, ...fault.path], fault.message);
    const named = await readRequirements(process, { version, path, report, demands: this.demands });
    if (kind === 'CommandLineTool' && ![process, ...around.within].some(namesImage))
      this.demands.addToolWithoutImage();
    const types: NamedTypes = [named, ...around.types];
    const read = (side: 'inputs' | 'outputs'): Promise<readonly Parameter[]> =>
      readParameters(process, side, {
        kind,
        version,
        path,
        types,
        report,
        hopeless: () => this.reader.hopeless,
      });
    const { label } = process;
    const place = {
      url: file.source.url,
      id: shortName(process['id']),
      path,
      label: typeof label === 'string' ? label.slice(0, 200) : null,
    };
    const found: Process = {
      kind,
      version,
      inputs: await read('inputs'),
      outputs: await read('outputs'),
      place,
      steps: [],
      links: [],
    };
    if (kind === 'Workflow')
      await checkSteps(this, process, found, {
        ...around,
        version,
        types,
        within: [...around.within, process],
      });
    return found;
  }
}

interface ParameterPlace {
  readonly kind: ProcessClass;
  readonly version: CwlVersion;
  readonly path: CwlPath;
  readonly types: NamedTypes;
  readonly report: Report;
  readonly hopeless: () => boolean;
}

async function readParameters(
  process: Mapping,
  side: 'inputs' | 'outputs',
  { kind, version, path, types, report, hopeless }: ParameterPlace,
): Promise<readonly Parameter[]> {
  const at = [...path, side];
  const found = entriesOf(process[side], at, 'id', 'type');
  if (process[side] === undefined) report(path, `\`${side}\` is missing`);
  else if (found === null || process[side] === null) report(at, `\`${side}\` must be a list or a map`);
  for (const stray of found?.strays ?? [])
    report(stray, `each of \`${side}\` must be a map with an id and a type`);
  if ((found?.entries.length ?? 0) > MAX_PARAMETERS) {
    report(at, `a process may have at most ${MAX_PARAMETERS} ${side}`);
    return [];
  }
  const names = new Set<string>();
  const parameters: Parameter[] = [];
  for (const entry of found?.entries ?? []) {
    if (hopeless()) break;
    const { name, value, path: place } = entry;
    if (name === '') report(place, 'a parameter has no id');
    else if (names.has(name)) report(place, `two of \`${side}\` have the id ${name}`);
    names.add(name);
    checkFields(value, version, place, report);
    for (const fault of await checkParameter(kind, side, value))
      report([...place, ...fault.path], fault.message);
    const type = readType(value['type'], [...place, 'type'], { version, named: types, report });
    parameters.push({
      ...entry,
      type,
      optional: isOptional(type),
      hasDefault: value['default'] !== undefined,
    });
  }
  return parameters;
}
