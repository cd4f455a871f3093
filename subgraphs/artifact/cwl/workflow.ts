// Checks a workflow's steps: their processes and inputs, and the targets and types of the links between them.
import { isObject } from '../../../platform/json-object.ts';
import { ANY, arrayOf, type CwlType, optional } from './cwl-type.ts';
import { type Entry, entriesOf, listOf, type Mapping, shortName } from './entries.ts';
import { findCircles } from './circles.ts';
import { checkLink, type LinkSource } from './links.ts';
import type { Linked, Process, ProcessChecker, Report, ProcessContext } from './process-model.ts';
import { readRequirements } from './requirements.ts';
import { checkStep } from './structure.ts';
import { checkFields, isCwlVersion } from './versions.ts';

const MAX_STEPS = 1000;

interface Step extends Entry {
  readonly runs: Process | null;
  readonly inputs: readonly Entry[];
  readonly scatter: readonly string[];
}

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
const idOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(value.lastIndexOf('#') + 1) : '';

/** The process in or named by a step's `run`. @throws Error with the reason if there is none */
async function findRun(
  checker: ProcessChecker,
  run: unknown,
  around: ProcessContext,
): Promise<Process | null> {
  if (isObject(run)) {
    const origin = checker.reader.originOf(run);
    return checker.check(run, origin === undefined ? around : { ...around, file: origin, path: [] });
  }
  if (typeof run !== 'string') throw new Error('must name a process or contain one');
  const { url, fragment } = checker.reader.resolve(around.file, run);
  const file = url === around.file.source.url ? around.file : await checker.reader.open(url);
  if (file.value === null) return null; // its faults were reported
  const root = isObject(file.value) ? file.value : {};
  const graph = root['$graph'] === undefined ? null : listOf(root['$graph']);
  const wanted = fragment === '' ? 'main' : fragment;
  const value =
    graph === null
      ? root
      : (graph.find((item) => isObject(item) && idOf(item['id']) === wanted) ??
        graph.find((item) => isObject(item) && shortName(item['id']) === shortName(wanted)));
  if (value === undefined) throw new Error(`the process ${wanted} does not exist`);
  const { cwlVersion } = root;
  if (cwlVersion !== undefined && !isCwlVersion(cwlVersion))
    throw new Error(`cwlVersion ${JSON.stringify(cwlVersion)} is not supported`);
  const path = graph === null ? [] : ['$graph', graph.indexOf(value)];
  return checker.check(value, { ...around, file, path, version: cwlVersion ?? around.version });
}

/**
 * A step's output as the rest of the workflow sees it: conditional steps may give null, scattered ones give
 * lists.
 */
function outputType(type: CwlType, step: Mapping, scatter: readonly string[]): CwlType {
  const once = step['when'] === undefined || type.kind === 'Any' ? type : optional(type);
  const isNested = step['scatterMethod'] === 'nested_crossproduct';
  const dimensions = isNested ? scatter.length : Math.min(scatter.length, 1);
  return Array.from({ length: dimensions }).reduce<CwlType>(arrayOf, once);
}

/** Checks and reports the steps of a workflow and all its links. */
export async function checkSteps(
  checker: ProcessChecker,
  workflow: Mapping,
  found: Process,
  around: ProcessContext,
): Promise<void> {
  const { file, path } = around;
  const report: Report = (at, message) => {
    checker.reader.report(file, at, message);
  };
  const at = [...path, 'steps'];
  const list = entriesOf(workflow['steps'], at, 'id', 'run');
  if (workflow['steps'] === undefined) return report(path, '`steps` is missing');
  if (list === null) return report(at, '`steps` must be a list or a map');
  for (const stray of list.strays) report(stray, 'each of `steps` must be a map');
  if (list.entries.length > MAX_STEPS) return report(at, `a workflow may have at most ${MAX_STEPS} steps`);

  const sources = new Map<string, LinkSource>(
    found.inputs.map((input) => [input.name, { type: input.type }]),
  );
  const steps: Step[] = [];
  for (const entry of list.entries) {
    const step = await readStep(checker, entry, around, report);
    if (steps.some((other) => other.name === step.name))
      report(entry.path, `two steps have the id ${step.name}`);
    steps.push(step);
    for (const [i, out] of listOf(step.value['out']).entries()) {
      const name = shortName(isObject(out) ? out['id'] : out);
      const output = step.runs?.outputs.find((one) => one.name === name);
      if (step.runs !== null && output === undefined) {
        const has = step.runs.outputs.map((one) => one.name).join(', ');
        report(
          [...entry.path, 'out', i],
          `step ${step.name}: ${name} is not an output of its process (outputs: ${has === '' ? 'none' : has})`,
        );
      }
      sources.set(`${step.name}/${name}`, {
        type: outputType(output?.type ?? ANY, step.value, step.scatter),
      });
    }
  }

  const prefix = idOf(workflow['id']);
  const keyOf = (reference: unknown): string => {
    const key = idOf(reference);
    return prefix !== '' && key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : key;
  };
  const find = (reference: string): LinkSource | undefined => sources.get(keyOf(reference));
  const linked = ({ name, value }: Entry, field: string): Linked => ({
    name,
    sources: listOf(value[field]).map(keyOf),
  });
  for (const step of steps) {
    checkInputs(step, find, report);
    if (step.runs !== null)
      found.steps.push({
        name: step.name,
        runs: step.runs,
        inputs: step.inputs.map((input) => linked(input, 'source')),
        isScattered: step.scatter.length > 0,
        isConditional: step.value['when'] !== undefined,
      });
  }
  found.links.push(...found.outputs.map((output) => linked(output, 'outputSource')));
  for (const output of found.outputs)
    checkLink(output.value, 'outputSource', output.type, `output ${output.name}`, find, (message) => {
      report(output.path, message);
    });
  for (const circle of findCircles(
    steps.map((step) => ({
      name: step.name,
      sources: step.inputs.flatMap((input) => listOf(input.value['source'])).map(idOf),
    })),
    prefix,
  )) {
    report(at, `the steps depend on each other in a cycle: ${circle.join(' -> ')}`);
  }
}

async function readStep(
  checker: ProcessChecker,
  entry: Entry,
  around: ProcessContext,
  report: Report,
): Promise<Step> {
  const { value, name, path } = entry;
  const { version } = around;
  if (name === '') report(path, 'a step has no id');
  checkFields(value, version, path, report);
  const inputs = entriesOf(value['in'], [...path, 'in'], 'id', 'source');
  if (inputs === null) report([...path, 'in'], `step ${name}: \`in\` must be a list or a map`);
  for (const stray of inputs?.strays ?? [])
    report(stray, `step ${name}: each of \`in\` must be a map with an id`);
  for (const fault of await checkStep({ ...value, in: inputs?.entries.map((input) => input.value) ?? [] })) {
    report([...path, ...fault.path], `step ${name}: ${fault.message}`);
  }
  for (const input of inputs?.entries ?? []) checkFields(input.value, version, input.path, report);
  const types = await readRequirements(value, { version, path, report, demands: checker.demands });
  let runs: Process | null = null;
  try {
    runs = await findRun(checker, value['run'], {
      ...around,
      path: [...path, 'run'],
      types: [types, ...around.types],
    });
  } catch (fault) {
    report(
      [...path, 'run'],
      `step ${name}: run${typeof value['run'] === 'string' ? ` ${value['run']}` : ''}: ${reasonOf(fault)}`,
    );
  }
  return { ...entry, runs, inputs: inputs?.entries ?? [], scatter: listOf(value['scatter']).map(shortName) };
}

/** Checks that the inputs of a step fit, and that all required inputs are given. */
function checkInputs(step: Step, find: (reference: string) => LinkSource | undefined, report: Report): void {
  const given = new Set(step.inputs.map((input) => input.name));
  for (const input of step.inputs) {
    const parameter = step.runs?.inputs.find((one) => one.name === input.name);
    const declared = parameter?.type ?? null;
    const single = declared !== null && parameter?.hasDefault === true ? optional(declared) : declared;
    const sink = single !== null && step.scatter.includes(input.name) ? arrayOf(single) : single;
    checkLink(input.value, 'source', sink, `step ${step.name} input ${input.name}`, find, (message) => {
      report(input.path, message);
    });
  }
  for (const name of step.scatter)
    if (!given.has(name))
      report(
        [...step.path, 'scatter'],
        `step ${step.name}: the scatter input ${name} is not an input of the step`,
      );
  for (const parameter of step.runs?.inputs ?? []) {
    const needed = !parameter.optional && !parameter.hasDefault && parameter.type.kind !== 'Any';
    if (needed && !given.has(parameter.name))
      report(step.path, `step ${step.name}: the required input ${parameter.name} is missing`);
  }
}
