// Parameters of a workflow in a crate, and their values: files, or property values.
import { type CwlType, withoutNull } from '../cwl/cwl-type.ts';
import { isFileValue } from '../cwl/file-value.ts';
import { type CrateFile } from './file-nodes.ts';
import { type Graph, local, type Ref, ref } from './graph.ts';

export const PARAMETER_PROFILE = 'https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE';

export type Direction = 'in' | 'out';
export const parameterId = (direction: Direction, name: string): string => local(`param-${direction}`, name);

/** The declared type of a CWL type's values (Bioschemas FormalParameter). */
function additionalType(type: CwlType): string {
  const value = withoutNull(type);
  switch (value.kind) {
    case 'File':
      return 'File';
    case 'Directory':
      return 'Dataset';
    case 'int':
    case 'long':
      return 'Integer';
    case 'float':
    case 'double':
      return 'Float';
    case 'boolean':
      return 'Boolean';
    case 'string':
    case 'enum':
      return 'Text';
    case 'array':
      return additionalType(value.items);
    case 'record':
    case 'Any':
    case 'union':
    case 'null':
      return 'PropertyValue';
    default:
      return value satisfies never;
  }
}

/** A directory is stored as an archive, and so it is a file here. */
const FILE_TYPES: readonly string[] = ['File', 'Dataset'];
const VALUE_TYPES: readonly string[] = ['PropertyValue', 'Integer', 'Float', 'Boolean', 'Text'];

export interface CrateParameter {
  readonly name: string;
  readonly type: CwlType;
  readonly required: boolean;
  readonly format?: string;
}

/** The types of the actual values: the parameter lists them beside the declared one. */
export interface Met {
  readonly files: boolean;
  readonly values: boolean;
}

/** The parameter, with every type that its values here have. */
export function addParameter(
  graph: Graph,
  direction: Direction,
  { name, type, required, format }: CrateParameter,
  { files, values }: Met,
): Ref {
  const declared = additionalType(type);
  const types = [
    declared === 'Dataset' ? 'File' : declared,
    ...(files && !FILE_TYPES.includes(declared) ? ['File'] : []),
    ...(values && !VALUE_TYPES.includes(declared) ? ['PropertyValue'] : []),
  ];
  const kind =
    format !== undefined && URL.canParse(format)
      ? graph.add({ '@id': format, '@type': 'WebSite', name: format, url: format })
      : undefined;
  return graph.add({
    '@id': parameterId(direction, name),
    '@type': 'FormalParameter',
    name,
    additionalType: types.length === 1 ? types[0] : types,
    valueRequired: required,
    ...(withoutNull(type).kind === 'array' ? { multipleValues: true } : {}),
    ...(kind === undefined ? {} : { encodingFormat: kind }),
    conformsTo: ref(PARAMETER_PROFILE),
  });
}

/** A schema.org value: anything but a text, number or boolean is JSON. */
export const literal = (value: unknown): string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value ?? null);

export interface ParameterFile extends Pick<CrateFile, 'location'> {
  readonly entityId: string | null;
  readonly field: string | null;
  readonly format: string | null;
}

/** Every file in an input object, with its entity. */
export function parameterFiles(value: unknown): readonly ParameterFile[] {
  if (typeof value !== 'object' || value === null) return [];
  // each member is checked before it is used
  const { location, entity, format } = value as {
    location?: unknown;
    entity?: { id?: unknown; field?: unknown };
    format?: unknown;
  };
  const text = (one: unknown): string | null => (typeof one === 'string' ? one : null);
  if (isFileValue(value) && typeof location === 'string')
    return [{ location, entityId: text(entity?.id), field: text(entity?.field), format: text(format) }];
  return Object.values(value).flatMap(parameterFiles);
}

/** Whether a value consists of files only. */
export const isAllFiles = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every(isAllFiles)
    : parameterFiles(value).length === 1 && isFileValue(value);
