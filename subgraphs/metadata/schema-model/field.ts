// A schema's field: its type, by its specified name or an alias, and its options
// (docs/reference/metadata.md#field-types, docs/reference/metadata.md#field-options).
import { invalid } from '../../../platform/errors.ts';
import { unknownKey } from '../../../platform/suggestions.ts';
import { valueFault } from './value.ts';
import { FIELD_TYPES, type FieldDefinition, type FieldType } from './field-definition.ts';
import { isObject } from '../../../platform/json-object.ts';

const ALIASES: Readonly<Record<string, FieldType>> = {
  text: 'string',
  integer: 'int',
  number: 'float',
  double: 'float',
  boolean: 'bool',
  timestamp: 'datetime',
  object: 'json',
  dict: 'json',
  list: 'json',
  reference: 'ref',
};

const KNOWN = new Set([
  'name',
  'field_type',
  'required',
  'many',
  'unique',
  'description',
  'searchable',
  'indexed',
  'default',
  'values',
  'references',
  'must_exist',
]);
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const NAME = /^[^\u0000-\u001f\u007f]{1,128}$/;

function typeOf(place: string, value: unknown): FieldType {
  if (typeof value !== 'string') throw invalid(`${place}.field_type is required`);
  const alias = Object.hasOwn(ALIASES, value) ? ALIASES[value] : undefined;
  const type = alias ?? FIELD_TYPES.find((t) => t === value);
  if (type === undefined)
    throw invalid(
      `${place}.field_type is unknown: ${value}; known types: ${[...FIELD_TYPES, ...Object.keys(ALIASES)].join(', ')}`,
    );
  return type;
}

function flag(place: string, sent: Record<string, unknown>, key: string, fallback: boolean): boolean {
  const value = sent[key] ?? fallback;
  if (typeof value !== 'boolean') throw invalid(`${place}.${key} must be true or false`);
  return value;
}

function enumValues(place: string, type: FieldType, value: unknown): readonly string[] {
  if (type !== 'enum') {
    if (value !== undefined && value !== null)
      throw invalid(`${place}.values is only allowed for field_type enum`);
    return [];
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every((v) => typeof v === 'string'))
    throw invalid(`${place}.values must list the values of the enum`);
  if (new Set(value).size !== value.length) throw invalid(`${place}.values contains a value twice`);
  return value;
}

function referenceOf(place: string, type: FieldType, value: unknown): string | null {
  if (type === 'ref') {
    if (typeof value !== 'string' || value === '')
      throw invalid(`${place}.references must name the target type`);
    return value;
  }
  if (value !== undefined && value !== null)
    throw invalid(`${place}.references is only allowed for field_type ref`);
  return null;
}

function readField(sent: unknown, i: number): FieldDefinition {
  if (!isObject(sent)) throw invalid(`fields[${i}] must be an object`);
  const field = sent;
  const { name } = field;
  if (typeof name !== 'string' || !NAME.test(name))
    throw invalid(`fields[${i}].name is required: 1 to 128 characters, no control characters`);
  const place = `field ${name}`;
  for (const key of Object.keys(field))
    if (!KNOWN.has(key)) throw invalid(`${place}: ${unknownKey(key, KNOWN)}`);
  const type = typeOf(place, field['field_type']);
  const description = field['description'] ?? null;
  if (description !== null && typeof description !== 'string')
    throw invalid(`${place}.description must be a string`);
  const read: FieldDefinition = {
    name,
    type,
    description,
    declaredType: String(field['field_type']),
    required: flag(place, field, 'required', false),
    many: flag(place, field, 'many', false),
    unique: flag(place, field, 'unique', false),
    searchable: flag(place, field, 'searchable', true),
    indexed: flag(place, field, 'indexed', false),
    default: field['default'],
    values: enumValues(place, type, field['values']),
    references: referenceOf(place, type, field['references']),
    mustExist: flag(place, field, 'must_exist', false),
  };
  if (read.mustExist && type !== 'ref')
    throw invalid(`${place}.must_exist is only allowed for field_type ref`);
  if (read.indexed && (read.many || read.type === 'json' || read.type === 'bool'))
    throw invalid(
      `${place}.indexed is only allowed for single numbers and strings; equality of any field is always indexed`,
    );
  if (read.default !== undefined && read.default !== null) {
    const fault = valueFault(read, read.default);
    if (fault) throw invalid(`${place}.default ${fault}`);
  }
  return read;
}

/** Parses the list of fields. @throws DomainError `validation_failed` */
export function readFields(sent: unknown): readonly FieldDefinition[] {
  if (!Array.isArray(sent)) throw invalid('fields must be a list');
  const fields = sent.map(readField);
  const names = new Set<string>();
  for (const { name } of fields) {
    if (names.has(name)) throw invalid(`field ${name} is declared twice`);
    names.add(name);
  }
  return fields;
}
