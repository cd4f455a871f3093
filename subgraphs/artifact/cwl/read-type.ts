// Reads a type of a document: shorthand, lists, schemas, and names of types defined elsewhere in it.
import { ANY, arrayOf, type CwlField, type CwlType, isPrimitive, NULL, unionOf } from './cwl-type.ts';
import { entriesOf, type Mapping, shortName } from './entries.ts';
import type { CwlPath } from './problem.ts';
import { type CwlVersion, isBefore } from './versions.ts';
import { isList, isObject } from '../../../platform/json-object.ts';

/**
 * Types defined by SchemaDefRequirement, innermost first: a process sees its own and those of the enclosing
 * workflows.
 */
export type NamedTypes = readonly ReadonlyMap<string, Mapping>[];

/**
 * Maximum parts of one type with resolved names: types that name other types twice would grow without bound.
 */
const MAX_PARTS = 1000;

export interface TypeReader {
  readonly version: CwlVersion;
  readonly named: NamedTypes;
  readonly report: (path: CwlPath, message: string) => void;
}

/** Standard streams are types of the resulting files. */
const STREAMS = ['stdin', 'stdout', 'stderr'];

interface Reading extends TypeReader {
  /** The location of the type that is being read; a named type's parts have the location of its name. */
  readonly path: CwlPath;
  readonly parts: { count: number };
}

/** The type of a document's value; an unreadable one is reported and becomes `Any`. */
export const readType = (value: unknown, path: CwlPath, reader: TypeReader): CwlType =>
  read(value, { ...reader, path, parts: { count: 0 } }, []);

const below = (reading: Reading, key: string | number): Reading => ({
  ...reading,
  path: [...reading.path, key],
});

function refuse({ report, path }: Reading, message: string): CwlType {
  report(path, message);
  return ANY;
}

function read(value: unknown, reading: Reading, within: readonly string[]): CwlType {
  const count = ++reading.parts.count;
  if (count > MAX_PARTS)
    return count === MAX_PARTS + 1 ? refuse(reading, `a type may have at most ${MAX_PARTS} parts`) : ANY;
  if (typeof value === 'string') return readName(value, reading, within);
  if (isList(value)) {
    if (value.length === 0) return refuse(reading, 'an empty list is not a type');
    return unionOf(value.map((member, i) => read(member, below(reading, i), within)));
  }
  if (isObject(value)) return readSchema(value, reading, within);
  return refuse(
    reading,
    value === undefined ? '`type` is missing' : `${JSON.stringify(value)} is not a type`,
  );
}

function readName(name: string, reading: Reading, within: readonly string[]): CwlType {
  if (name.endsWith('?')) return unionOf([NULL, readName(name.slice(0, -1), reading, within)]);
  if (name.endsWith('[]')) {
    const items = name.slice(0, -2);
    if (items.endsWith('[]') && isBefore(reading.version, 'v1.2'))
      refuse(reading, `type ${name}: nested array shorthand needs cwlVersion v1.2`);
    return arrayOf(readName(items, reading, within));
  }
  if (isPrimitive(name)) return { kind: name };
  if (STREAMS.includes(name)) return { kind: 'File' };
  const short = shortName(name);
  const definition = reading.named.map((types) => types.get(short)).find((found) => found !== undefined);
  if (definition === undefined) return refuse(reading, `unknown type ${JSON.stringify(name)}`);
  if (within.includes(short)) return refuse(reading, `type ${short} contains itself`);
  const here: Reading = {
    ...reading,
    report: (_, message) => {
      reading.report(reading.path, message);
    },
  };
  return read(definition, here, [...within, short]);
}

function readSchema(schema: Mapping, reading: Reading, within: readonly string[]): CwlType {
  switch (schema['type']) {
    case 'array':
      return arrayOf(read(schema['items'], below(reading, 'items'), within));
    case 'record':
      return { kind: 'record', fields: readFields(schema['fields'], below(reading, 'fields'), within) };
    case 'enum':
      return { kind: 'enum', symbols: readSymbols(schema['symbols'], below(reading, 'symbols')) };
    default:
      return read(schema['type'], below(reading, 'type'), within);
  }
}

function readFields(value: unknown, reading: Reading, within: readonly string[]): CwlField[] {
  const fields = entriesOf(value, reading.path, 'name', 'type');
  if (fields === null || fields.strays.length > 0)
    refuse(reading, '`fields` of a record must be a list or a map of fields');
  const names = new Set<string>();
  return (fields?.entries ?? []).map(({ name, value: field, path }) => {
    const here: Reading = { ...reading, path: [...path, 'type'] };
    if (name === '') refuse(here, 'a field of the record has no name');
    if (names.has(name)) refuse(here, `the record has two fields named ${name}`);
    names.add(name);
    return { name, type: read(field['type'], here, within) };
  });
}

function readSymbols(value: unknown, reading: Reading): string[] {
  const symbols = isList(value) ? value.filter((symbol) => typeof symbol === 'string') : [];
  if (symbols.length === 0) refuse(reading, '`symbols` of an enum must be a list of names');
  return symbols.map(shortName);
}
