// Binds a workflow's inputs: to parameters of the request, to placeholders and criteria, and to the entities
// that its rule requires.
import { isObject, isList } from '../../../platform/json-object.ts';
import { isFileValue } from '../cwl/file-value.ts';
import type { CwlInput } from '../cwl/validate.ts';
import { type CwlType, isOptional, showCwlType, withoutNull } from '../cwl/cwl-type.ts';
import type { StoredEntity } from './entities.ts';

export interface InputSources {
  /** By the input's name, from the request. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Placeholders of the rule, and criteria, with the text forms of their values. */
  readonly texts: ReadonlyMap<string, string>;
  /** In the order of the rule's requirements. */
  readonly required: readonly StoredEntity[];
}

/** A file, or a directory packed into one, that an input needs, by its address: not fetched yet. */
export interface SourceFile {
  readonly class: 'File' | 'Directory';
  readonly location: string;
  /** The file's entity, and the field that names it; absent if the request named it. */
  readonly entity?: { readonly id: string; readonly entityType: string; readonly field: string };
  readonly format?: string;
  /** Required secondary files as CWL patterns; one that ends with `?` is optional. */
  readonly beside?: readonly string[];
}

export interface BoundInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Required inputs without a value, each with the names that were tried. */
  readonly missing: readonly string[];
}

/** `Sample_VCF`, `sampleVcf` and `sample-vcf` are equal. */
const plain = (name: string): string => name.replaceAll(/[_\-\s]/g, '').toLowerCase();

/** A text as a value of a type; undefined if it is not one. */
function fromText(text: string, type: CwlType): unknown {
  const value = withoutNull(type);
  switch (value.kind) {
    case 'string':
    case 'Any':
      return text;
    case 'int':
    case 'long':
      return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
    case 'float':
    case 'double':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      if (text === 'true') return true;
      return text === 'false' ? false : undefined;
    case 'enum':
      return value.symbols.includes(text) ? text : undefined;
    case 'File':
    case 'Directory':
      return { class: value.kind, location: text } satisfies SourceFile;
    case 'union':
      return value.of.map((member) => fromText(text, member)).find((found) => found !== undefined);
    default:
      return undefined;
  }
}

/** Its location may still be anything: it is checked when the file is fetched. */
export const isSource = (value: unknown): value is SourceFile => isFileValue(value);

/**
 * Only class and location are taken from a file in a request or a field's data: its entity and its secondary
 * files must come from the platform.
 */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent);
  if (!isObject(value)) return value;
  if (isSource(value)) return { class: value.class, location: value.location };
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, asSent(held)]));
}

/** A file with the input's requirements. Without a known format it is assumed to have the required one. */
function dressed(value: unknown, wanted: Pick<CwlInput, 'format' | 'secondaryFiles'>): unknown {
  if (Array.isArray(value)) return value.map((item) => dressed(item, wanted));
  if (!isSource(value) || value.class !== 'File') return value;
  const { format, secondaryFiles } = wanted;
  return {
    ...(format === undefined ? {} : { format }),
    ...(secondaryFiles === undefined || secondaryFiles.length === 0 ? {} : { beside: secondaryFiles }),
    ...value,
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A text for a file input is the file's address. */
function fromParameter(value: unknown, type: CwlType): unknown {
  const wanted = withoutNull(type);
  if ((wanted.kind === 'File' || wanted.kind === 'Directory') && isText(value))
    return { class: wanted.kind, location: value } satisfies SourceFile;
  if (wanted.kind === 'array' && Array.isArray(value))
    return value.map((item) => fromParameter(item, wanted.items));
  return value;
}

/** CWL names formats by URIs. */
const FORMAT = /^https?:\/\/\S+$/;

const fileOf = (entity: StoredEntity, field: string, kind: SourceFile['class']): SourceFile | undefined =>
  namedFile(entity, field, Object.hasOwn(entity.data, field) ? entity.data[field] : undefined, kind);

const namedFile = (
  { id, entityType, data }: StoredEntity,
  field: string,
  location: unknown,
  kind: SourceFile['class'],
): SourceFile | undefined => {
  if (!isText(location)) return undefined;
  const format =
    field === 'uri' && kind === 'File' && Object.hasOwn(data, 'format') ? data['format'] : undefined;
  return {
    class: kind,
    location,
    entity: { id, entityType, field },
    ...(isText(format) && FORMAT.test(format) ? { format } : {}),
  };
};

/** A whole entity as a value: its file, its fields, or its id. */
function fromEntity(entity: StoredEntity, type: CwlType): unknown {
  const value = withoutNull(type);
  switch (value.kind) {
    case 'File':
    case 'Directory':
      return fileOf(entity, 'uri', value.kind);
    case 'record':
      return Object.fromEntries(
        value.fields.map((field) => [field.name, fromField(entity, field.name, field.type) ?? null]),
      );
    case 'Any':
      return asSent({ id: entity.id, ...entity.data });
    case 'string':
      return entity.id;
    default:
      return undefined;
  }
}

function fromField(entity: StoredEntity, name: string, type: CwlType): unknown {
  const wanted = withoutNull(type);
  if (wanted.kind === 'File' || wanted.kind === 'Directory') return fileOf(entity, name, wanted.kind);
  const held = Object.hasOwn(entity.data, name) ? entity.data[name] : undefined;
  const one = wanted.kind === 'array' ? withoutNull(wanted.items).kind : null;
  if ((one === 'File' || one === 'Directory') && isList(held))
    return held.map((location, i) => namedFile(entity, `${name}[${i}]`, location, one) ?? location);
  return Object.hasOwn(entity.data, name) ? asSent(entity.data[name] ?? undefined) : undefined;
}

/** `Samples` means entities of the type `Sample`, too. */
const isNamed = (type: string, meant: string): boolean => type === meant || `${type}s` === meant;

/** @param types of the required entities, by the names that are compared */
function valueOf(
  { name, type }: CwlInput,
  { parameters, texts, required }: InputSources,
  types: readonly string[],
): unknown {
  if (Object.hasOwn(parameters, name)) return fromParameter(asSent(parameters[name]), type);
  const text = texts.get(name);
  if (text !== undefined) return fromText(text, type);
  const meant = plain(name);
  const ofType = required.filter((_, i) => isNamed(types[i] ?? '', meant));
  const wanted = withoutNull(type);
  if (wanted.kind === 'array' && ofType.length > 0)
    return ofType.map((entity) => fromEntity(entity, wanted.items));
  const whole = ofType[0] && fromEntity(ofType[0], type);
  if (whole !== undefined) return whole;
  for (const entity of required) {
    const value = fromField(entity, name, type);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether the input may take anything of the entity: what may not makes no difference to its value. */
export const mayGive = ({ entityType, data }: StoredEntity, { name }: CwlInput): boolean =>
  Object.hasOwn(data, name) || isNamed(plain(entityType), plain(name));

/** The value of one input; undefined without any. */
export const bindInput = (input: CwlInput, sources: InputSources): unknown =>
  dressed(
    valueOf(
      input,
      sources,
      sources.required.map(({ entityType }) => plain(entityType)),
    ),
    input,
  );

/** The input object of a run. Optional inputs without a value are omitted. */
export function bindInputs(inputs: readonly CwlInput[], sources: InputSources): BoundInputs {
  const types = sources.required.map(({ entityType }) => plain(entityType));
  const found = inputs.map((input) => ({ input, value: dressed(valueOf(input, sources, types), input) }));
  return {
    inputs: Object.fromEntries(
      found.filter(({ value }) => value !== undefined).map(({ input, value }) => [input.name, value]),
    ),
    missing: found
      .filter(({ input, value }) => value === undefined && !input.optional && !isOptional(input.type))
      .map(({ input }) => `${input.name} (${showCwlType(input.type)})`),
  };
}

/** Names of parameters without an input. */
export const strayParameters = (
  inputs: readonly CwlInput[],
  parameters: Readonly<Record<string, unknown>>,
): readonly string[] =>
  Object.keys(parameters).filter((name) => !inputs.some((input) => input.name === name));
