// Checks the structure of a process in pieces against CWL v1.2's schema (cwl-ts-auto), so that every fault
// has a location.
import cwl, { ValidationException } from 'cwl-ts-auto';
import { Fetcher } from 'cwl-ts-auto/dist/util/Fetcher.js';
import { LoadingOptions } from 'cwl-ts-auto/dist/util/LoadingOptions.js';
import type { Mapping } from './entries.ts';
import { explain, type Fault } from './explain.ts';
import { depthOf } from './source.ts';
import type { RequirementClass } from './versions.ts';
import { isOneOf } from '../../../platform/is-one-of.ts';

/** The checker reads no documents itself: all references have been resolved. */
class NoFetcher extends Fetcher {
  override fetchText(url: string): Promise<string> {
    return Promise.reject(new ValidationException(`refused to read ${url}`));
  }

  override checkExists(): boolean {
    return true;
  }

  override urljoin(base: string, url: string): string {
    return URL.canParse(url, base) ? new URL(url, base).href : url;
  }
}

interface Loader {
  fromDoc(doc: unknown, baseUri: string, options: LoadingOptions): Promise<unknown>;
}

export const PROCESS_CLASSES = ['CommandLineTool', 'ExpressionTool', 'Workflow', 'Operation'] as const;
export type ProcessClass = (typeof PROCESS_CLASSES)[number];
export const isProcessClass = (name: unknown): name is ProcessClass => isOneOf(PROCESS_CLASSES, name);

const PIECES: Readonly<
  Record<ProcessClass, { readonly process: Loader; readonly inputs: Loader; readonly outputs: Loader }>
> = {
  CommandLineTool: {
    process: cwl.CommandLineTool,
    inputs: cwl.CommandInputParameter,
    outputs: cwl.CommandOutputParameter,
  },
  ExpressionTool: {
    process: cwl.ExpressionTool,
    inputs: cwl.WorkflowInputParameter,
    outputs: cwl.ExpressionToolOutputParameter,
  },
  Workflow: {
    process: cwl.Workflow,
    inputs: cwl.WorkflowInputParameter,
    outputs: cwl.WorkflowOutputParameter,
  },
  Operation: {
    process: cwl.Operation,
    inputs: cwl.OperationInputParameter,
    outputs: cwl.OperationOutputParameter,
  },
};

const REQUIREMENTS: Readonly<Record<RequirementClass, Loader>> = {
  InlineJavascriptRequirement: cwl.InlineJavascriptRequirement,
  SchemaDefRequirement: cwl.SchemaDefRequirement,
  DockerRequirement: cwl.DockerRequirement,
  SoftwareRequirement: cwl.SoftwareRequirement,
  InitialWorkDirRequirement: cwl.InitialWorkDirRequirement,
  EnvVarRequirement: cwl.EnvVarRequirement,
  ShellCommandRequirement: cwl.ShellCommandRequirement,
  ResourceRequirement: cwl.ResourceRequirement,
  SubworkflowFeatureRequirement: cwl.SubworkflowFeatureRequirement,
  ScatterFeatureRequirement: cwl.ScatterFeatureRequirement,
  MultipleInputFeatureRequirement: cwl.MultipleInputFeatureRequirement,
  StepInputExpressionRequirement: cwl.StepInputExpressionRequirement,
  LoadListingRequirement: cwl.LoadListingRequirement,
  WorkReuse: cwl.WorkReuse,
  NetworkAccess: cwl.NetworkAccess,
  InplaceUpdateRequirement: cwl.InplaceUpdateRequirement,
  ToolTimeLimit: cwl.ToolTimeLimit,
};

/** The checker's time is quadratic in the nesting; real parameters have about six levels. */
const MAX_SHOWN_DEPTH = 25;

/** Yields to other work: a piece takes about half a millisecond, and a workflow may have thousands. */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

async function check(loader: Loader, value: Mapping): Promise<readonly Fault[]> {
  await breathe();
  if (depthOf(value, MAX_SHOWN_DEPTH) > MAX_SHOWN_DEPTH)
    return [{ path: [], message: `nested deeper than ${MAX_SHOWN_DEPTH} levels` }];
  const base = 'cwl:/document'; // references are not checked here
  try {
    await loader.fromDoc(
      structuredClone(value),
      base,
      new LoadingOptions({ fileUri: base, fetcher: new NoFetcher() }),
    ); // a copy, because the checker modifies its input
    return [];
  } catch (thrown) {
    return explain(thrown, value);
  }
}

/** The process itself: its parameters, steps and requirements are checked separately. */
export const checkProcess = (kind: ProcessClass, process: Mapping): Promise<readonly Fault[]> => {
  const { $namespaces: _, $schemas: __, $graph: ___, requirements: ____, hints: _____, ...rest } = process;
  return check(PIECES[kind].process, {
    ...rest,
    inputs: [],
    outputs: [],
    ...(kind === 'Workflow' ? { steps: [] } : {}),
  });
};

export const checkParameter = (
  kind: ProcessClass,
  side: 'inputs' | 'outputs',
  parameter: Mapping,
): Promise<readonly Fault[]> => check(PIECES[kind][side], parameter);

/** A step, without its process and requirements. */
export const checkStep = (step: Mapping): Promise<readonly Fault[]> => {
  const { requirements: _, hints: __, ...rest } = step;
  return check(
    cwl.WorkflowStep,
    typeof rest['run'] === 'object' && rest['run'] !== null ? { ...rest, run: '#run' } : rest,
  );
};

export const checkRequirement = (kind: RequirementClass, requirement: Mapping): Promise<readonly Fault[]> =>
  check(REQUIREMENTS[kind], requirement);
