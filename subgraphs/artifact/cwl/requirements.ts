// Checks a process's requirements and hints, and collects what they demand of the runner.
import { isObject } from '../../../platform/json-object.ts';
import { type Entry, entriesOf, listOf, type Mapping, shortName } from './entries.ts';
import type { CwlPath } from './problem.ts';
import { checkRequirement } from './structure.ts';
import { type CwlVersion, isBefore, isRequirementClass, REQUIREMENT_SINCE } from './versions.ts';

/** The demands of a workflow, over everything that it runs. */
export interface CwlDemands {
  /** Container images in `dockerPull` and `dockerImageId`, required or hinted. */
  readonly images: readonly string[];
  /** Whether some image is required: a runner without container support must not run the tool. */
  readonly imagesRequired: boolean;
  /** Whether some tool has no image, neither its own nor one of the workflow. */
  readonly withoutImage: boolean;
  /** Other sources of containers, by their fields: `dockerFile`, `dockerLoad`, `dockerImport`. */
  readonly otherContainers: readonly string[];
  /** Resources by name (`coresMin`, `ramMax`, …): the largest requested number, or the first expression. */
  readonly resources: Readonly<Record<string, number | string>>;
  /** Seconds of `ToolTimeLimit`: the largest, or the first expression; null where none is set. */
  readonly seconds: number | string | null;
  /** Whether JavaScript expressions are used. */
  readonly javascript: boolean;
  /** Whether network access is required or hinted, or may be by an expression. */
  readonly network: boolean;
  /** Whether network access is required, or may be by an expression. */
  readonly networkRequired: boolean;
  /** Packages that `SoftwareRequirement`s require, without hints. */
  readonly software: readonly string[];
}

const larger = (known: number | string | undefined, asked: unknown): number | string | undefined => {
  if (typeof asked === 'number') return typeof known === 'number' ? Math.max(known, asked) : (known ?? asked);
  return typeof asked === 'string' && typeof known !== 'string' ? asked : known;
};

/** The packages of a SoftwareRequirement in any of its notations; its own name if it lists none. */
function packagesOf(requirement: Mapping): readonly string[] {
  const named = (entriesOf(requirement['packages'], [], 'package', 'specs')?.entries ?? []).flatMap(
    ({ value }) => (typeof value['package'] === 'string' ? [value['package']] : []),
  );
  return named.length > 0 ? named : ['SoftwareRequirement'];
}

export class Demands {
  readonly #images = new Set<string>();
  readonly #otherContainers = new Set<string>();
  readonly #resources = new Map<string, number | string>();
  #seconds: number | string | undefined;
  #imagesRequired = false;
  #withoutImage = false;
  #javascript = false;
  #network = false;
  #networkRequired = false;
  readonly #software = new Set<string>();

  add(requirement: Mapping, isRequired: boolean): void {
    switch (requirement['class']) {
      case 'DockerRequirement':
        this.#addContainer(requirement);
        this.#imagesRequired ||= isRequired;
        break;
      case 'ResourceRequirement':
        for (const [name, asked] of Object.entries(requirement)) {
          const most = name === 'class' ? undefined : larger(this.#resources.get(name), asked);
          if (most !== undefined) this.#resources.set(name, most);
        }
        break;
      case 'ToolTimeLimit':
        this.#seconds = larger(this.#seconds, requirement['timelimit']);
        break;
      case 'InlineJavascriptRequirement':
        this.#javascript = true;
        break;
      case 'NetworkAccess':
        this.#network ||= requirement['networkAccess'] !== false;
        this.#networkRequired ||= isRequired && requirement['networkAccess'] !== false;
        break;
      case 'SoftwareRequirement':
        if (isRequired) for (const name of packagesOf(requirement)) this.#software.add(name);
        break;
      default:
    }
  }

  /** A tool without an image. */
  addToolWithoutImage(): void {
    this.#withoutImage = true;
  }

  get all(): CwlDemands {
    return {
      images: [...this.#images],
      imagesRequired: this.#imagesRequired,
      withoutImage: this.#withoutImage,
      otherContainers: [...this.#otherContainers],
      resources: Object.fromEntries(this.#resources),
      seconds: this.#seconds ?? null,
      javascript: this.#javascript,
      network: this.#network,
      networkRequired: this.#networkRequired,
      software: [...this.#software],
    };
  }

  #addContainer(requirement: Mapping): void {
    for (const image of [requirement['dockerPull'], requirement['dockerImageId']])
      if (typeof image === 'string') this.#images.add(image);
    for (const field of ['dockerFile', 'dockerLoad', 'dockerImport'])
      if (field in requirement) this.#otherContainers.add(field);
  }
}

interface Place {
  readonly version: CwlVersion;
  readonly path: CwlPath;
  readonly report: (path: CwlPath, message: string) => void;
  readonly demands: Demands;
}

const FRACTIONAL = [
  'coresMin',
  'coresMax',
  'ramMin',
  'ramMax',
  'tmpdirMin',
  'tmpdirMax',
  'outdirMin',
  'outdirMax',
];

/** Requirement entries as a list of maps with their class; anything else is reported. */
function read(holder: Mapping, field: 'requirements' | 'hints', { path, report }: Place): readonly Entry[] {
  const at = [...path, field];
  const found = entriesOf(holder[field], at, 'class', '_');
  if (found === null || (field in holder && holder[field] === null))
    report(at, `\`${field}\` must be a list or a map`);
  for (const stray of found?.strays ?? [])
    report(stray, `each entry of \`${field}\` must be a map with a class`);
  return (found?.entries ?? []).filter(({ value, path: place }) => {
    if (typeof value['class'] === 'string') return true;
    report(place, `each entry of \`${field}\` must be a map with a class`);
    return false;
  });
}

/** Tools that pack documents add ids to types, which the schema does not allow. */
function withoutId(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { id: _, ...rest } = schema;
  return rest;
}

async function checkOne({ value, path }: Entry, { version, report }: Place): Promise<void> {
  const kind = value['class'];
  if (!isRequirementClass(kind)) return report(path, `unknown requirement ${String(kind)}`);
  if (isBefore(version, REQUIREMENT_SINCE[kind]))
    return report(path, `${kind} needs cwlVersion ${REQUIREMENT_SINCE[kind]}`);
  const { _: __, ...requirement } = value;
  const schemas =
    kind === 'SchemaDefRequirement' && 'types' in value
      ? { types: listOf(value['types']).map(withoutId) }
      : {};
  for (const fault of await checkRequirement(kind, { ...requirement, ...schemas }))
    report([...path, ...fault.path], `${kind}: ${fault.message}`);
  if (kind !== 'ResourceRequirement' || !isBefore(version, 'v1.2')) return;
  for (const field of FRACTIONAL) {
    const asked = value[field];
    if (typeof asked === 'number' && !Number.isInteger(asked))
      report([...path, field], `${field}: a fraction needs cwlVersion v1.2`);
  }
}

/** Whether a process names a container image for itself and everything within it. */
export const namesImage = (process: Mapping): boolean =>
  ['requirements', 'hints'].some((field) =>
    (entriesOf(process[field], [], 'class', '_')?.entries ?? []).some(
      ({ value }) => value['class'] === 'DockerRequirement',
    ),
  );

/**
 * Checks a process's or step's requirements and hints, adds their demands, and returns the types of
 * SchemaDefRequirement. Unknown hints are not faults.
 */
export async function readRequirements(holder: Mapping, place: Place): Promise<ReadonlyMap<string, Mapping>> {
  const required = read(holder, 'requirements', place);
  const all = [...required, ...read(holder, 'hints', place)];
  for (const entry of required) await checkOne(entry, place);
  for (const { value } of all)
    place.demands.add(
      value,
      required.some((entry) => entry.value === value),
    );
  const schemas = all
    .filter(({ value }) => value['class'] === 'SchemaDefRequirement')
    .flatMap(({ value }) => listOf(value['types']));
  return new Map(schemas.filter(isObject).map((schema) => [shortName(schema['name']), schema]));
}
