// Says where a workflow's inputs come from: parameters of the request, bindings and criteria, and the entities that its rule requires.
import type { CwlInput } from '../cwl/validate.ts';
import { type CwlType, isOptional, showCwlType, withoutNull } from '../cwl/cwl-type.ts';
import type { StoredEntity } from '../resolution/entities.ts';

export interface InputSources {
  /** By the input's name, as the request gave them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Placeholders of the rule, and fields that were asked for, with the text forms of their values. */
  readonly texts: ReadonlyMap<string, string>;
  /** In the order in which the rule requires them. */
  readonly required: readonly StoredEntity[];
}

/** A file that an input needs, by where it is said to be: not fetched yet. */
export interface SourceFile {
  readonly class: 'File';
  readonly location: string;
  /** The entity whose `uri` it is; absent where the request named it. */
  readonly entity?: { readonly id: string; readonly entityType: string };
}

export interface BoundInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Inputs that have to be given and that nothing gives, each with what was looked for. */
  readonly missing: readonly string[];
}

/** `Sample_VCF`, `sampleVcf` and `sample-vcf` are one name. */
const plain = (name: string): string => name.replaceAll(/[_\-\s]/g, '').toLowerCase();

/** A text as a value of a type; undefined where it is none. */
function fromText(text: string, type: CwlType): unknown {
  const value = withoutNull(type);
  switch (value.kind) {
    case 'string': case 'Any': return text;
    case 'int': case 'long': return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
    case 'float': case 'double': return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean': return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'enum': return value.symbols.includes(text) ? text : undefined;
    case 'File': return { class: 'File', location: text } satisfies SourceFile;
    case 'union': return value.of.map((member) => fromText(text, member)).find((found) => found !== undefined);
    default: return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A text where a file is wanted names the file. */
function fromParameter(value: unknown, type: CwlType): unknown {
  const wanted = withoutNull(type);
  if (wanted.kind === 'File' && isText(value)) return { class: 'File', location: value } satisfies SourceFile;
  if (wanted.kind === 'array' && Array.isArray(value)) return value.map((item) => fromParameter(item, wanted.items));
  return value;
}

const fileOf = ({ id, entityType, data }: StoredEntity, field: string): SourceFile | undefined => {
  const location = Object.hasOwn(data, field) ? data[field] : undefined;
  return isText(location) ? { class: 'File', location, entity: { id, entityType } } : undefined;
};

/** A whole entity as a value: its file, its fields, or its id. */
function fromEntity(entity: StoredEntity, type: CwlType): unknown {
  const value = withoutNull(type);
  switch (value.kind) {
    case 'File': return fileOf(entity, 'uri');
    case 'record': return Object.fromEntries(value.fields.map((field) => [field.name, fromField(entity, field.name, field.type) ?? null]));
    case 'Any': return { id: entity.id, ...entity.data };
    case 'string': return entity.id;
    default: return undefined;
  }
}

function fromField(entity: StoredEntity, name: string, type: CwlType): unknown {
  if (withoutNull(type).kind === 'File') return fileOf(entity, name);
  return Object.hasOwn(entity.data, name) ? entity.data[name] ?? undefined : undefined;
}

function valueOf({ name, type }: CwlInput, { parameters, texts, required }: InputSources): unknown {
  if (Object.hasOwn(parameters, name)) return fromParameter(parameters[name], type);
  const text = texts.get(name);
  if (text !== undefined) return fromText(text, type);
  const ofType = required.filter(({ entityType }) => plain(entityType) === plain(name) || `${plain(entityType)}s` === plain(name));
  const wanted = withoutNull(type);
  if (wanted.kind === 'array' && ofType.length > 0) return ofType.map((entity) => fromEntity(entity, wanted.items));
  const whole = ofType[0] && fromEntity(ofType[0], type);
  return whole ?? required.map((entity) => fromField(entity, name, type)).find((value) => value !== undefined);
}

/** The input object of a run. What has a default, or may be null, is left out where nothing gives it. */
export function bindInputs(inputs: readonly CwlInput[], sources: InputSources): BoundInputs {
  const found = inputs.map((input) => ({ input, value: valueOf(input, sources) }));
  return {
    inputs: Object.fromEntries(found.filter(({ value }) => value !== undefined).map(({ input, value }) => [input.name, value])),
    missing: found.filter(({ input, value }) => value === undefined && !input.optional && !isOptional(input.type)).map(({ input }) => `${input.name} (${showCwlType(input.type)})`),
  };
}

/** Names of parameters that no input has. */
export const strayParameters = (inputs: readonly CwlInput[], parameters: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(parameters).filter((name) => !inputs.some((input) => input.name === name));
