// Short forms of validation results, for tests.
import { showCwlType } from '../../../subgraphs/artifact/cwl/cwl-type.ts';
import { showProblem } from '../../../subgraphs/artifact/cwl/problem.ts';
import { type CwlWorkflow, validateCwl } from '../../../subgraphs/artifact/cwl/validate.ts';

const URL_OF_MAIN = 'https://example.org/flows/main.cwl';

const reader =
  (files: Readonly<Record<string, string>>) =>
  (url: string): Promise<string> => {
    const text = files[url.replace('https://example.org/flows/', '')];
    return text === undefined
      ? Promise.reject(new Error('there is no such document'))
      : Promise.resolve(text);
  };

/** The faults of a document, as `file:line:column: message`; none for a valid one. */
export async function problemsOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  url = URL_OF_MAIN,
): Promise<readonly string[]> {
  const result = await validateCwl(text, { url, read: reader(files) });
  return result.valid ? [] : result.problems.map(showProblem);
}

/** Expects a valid document. */
export async function workflowOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  url = URL_OF_MAIN,
): Promise<CwlWorkflow> {
  const result = await validateCwl(text, { url, read: reader(files) });
  if (!result.valid) throw new Error(result.problems.map(showProblem).join('\n'));
  return result.workflow;
}

/** The outputs of a valid document, in CWL's shorthand, by name. */
export const outputsOf = async (
  text: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await workflowOf(text, files)).outputs.map(({ name, type }) => [name, showCwlType(type)]),
  );

/** A tool with all required fields, to which a test adds its subject. */
export const tool = (rest: string, version = 'v1.2'): string =>
  `cwlVersion: ${version}\nclass: CommandLineTool\nbaseCommand: 'true'\n${rest}`;
