// The CWL version that introduced each feature, because the structure is checked against the newest version.
import type { Mapping } from './entries.ts';
import type { CwlPath } from './problem.ts';
import { isOneOf } from '../../../platform/is-one-of.ts';

export const CWL_VERSIONS = ['v1.0', 'v1.1', 'v1.2'] as const;
export type CwlVersion = (typeof CWL_VERSIONS)[number];

export const isCwlVersion = (value: unknown): value is CwlVersion => isOneOf(CWL_VERSIONS, value);
export const isBefore = (version: CwlVersion, since: CwlVersion): boolean =>
  CWL_VERSIONS.indexOf(version) < CWL_VERSIONS.indexOf(since);

/** Requirements by class, with the version that introduced them. */
export const REQUIREMENT_SINCE = {
  InlineJavascriptRequirement: 'v1.0',
  SchemaDefRequirement: 'v1.0',
  DockerRequirement: 'v1.0',
  SoftwareRequirement: 'v1.0',
  InitialWorkDirRequirement: 'v1.0',
  EnvVarRequirement: 'v1.0',
  ShellCommandRequirement: 'v1.0',
  ResourceRequirement: 'v1.0',
  SubworkflowFeatureRequirement: 'v1.0',
  ScatterFeatureRequirement: 'v1.0',
  MultipleInputFeatureRequirement: 'v1.0',
  StepInputExpressionRequirement: 'v1.0',
  LoadListingRequirement: 'v1.1',
  WorkReuse: 'v1.1',
  NetworkAccess: 'v1.1',
  InplaceUpdateRequirement: 'v1.1',
  ToolTimeLimit: 'v1.1',
} as const satisfies Record<string, CwlVersion>;

export type RequirementClass = keyof typeof REQUIREMENT_SINCE;
export const isRequirementClass = (name: unknown): name is RequirementClass =>
  typeof name === 'string' && Object.hasOwn(REQUIREMENT_SINCE, name);

/** Fields of processes, parameters and steps that older versions do not have. */
const FIELD_SINCE: Readonly<Record<string, CwlVersion>> = {
  loadListing: 'v1.1',
  intent: 'v1.2',
  when: 'v1.2',
  pickValue: 'v1.2',
};

/** Reports the fields of a process, parameter or step that its version does not have. */
export function checkFields(
  holder: Mapping,
  version: CwlVersion,
  path: CwlPath,
  report: (path: CwlPath, message: string) => void,
): void {
  for (const [field, since] of Object.entries(FIELD_SINCE)) {
    if (holder[field] !== undefined && isBefore(version, since))
      report([...path, field], `\`${field}\` needs cwlVersion ${since}`);
  }
}
