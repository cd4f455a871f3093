// Reads a type as a document writes it: shorthand, lists, schemas, and names of types defined elsewhere in it.
import { ANY, arrayOf, type CwlField, type CwlType, isPrimitive, NULL, unionOf } from './cwl-type.ts';
import { entriesOf, isMapping, type Mapping, shortName } from './entries.ts';
import { type CwlVersion, isBefore } from './versions.ts';

/** Types that SchemaDefRequirement names, innermost first: a process sees its own and those of the workflows around it. */
export type NamedTypes = readonly ReadonlyMap<string, Mapping>[];

/** Parts that one type may have, names resolved: types that name types twice would grow without end. */
const MOST_PARTS = 1000;

export interface TypeReader {
  readonly version: CwlVersion;
  readonly named: NamedTypes;
  /** Told once for each fault. */
  readonly report: (message: string) => void;
}

/** Standard streams stand for the file that is made of them. */
const STREAMS = ['stdin', 'stdout', 'stderr'];

interface Reading extends TypeReader {
  parts: number;
}

/** The type that a document's value means; what cannot be read is reported and becomes `Any`. */
export const readType = (value: unknown, reader: TypeReader): CwlType => read(value, { ...reader, parts: 0 }, []);

function read(value: unknown, reader: Reading, within: readonly string[]): CwlType {
  if (++reader.parts > MOST_PARTS) {
    if (reader.parts === MOST_PARTS + 1) reader.report(`a type may have ${MOST_PARTS} parts at most`);
    return ANY;
  }
  if (typeof value === 'string') return readName(value, reader, within);
  if (Array.isArray(value)) {
    if (value.length > 0) return unionOf((value as readonly unknown[]).map((member) => read(member, reader, within)));
    reader.report('an empty list is no type');
    return ANY;
  }
  if (isMapping(value)) return readSchema(value, reader, within);
  reader.report(value === undefined ? '`type` is missing' : `${JSON.stringify(value)} is no type`);
  return ANY;
}

function readName(name: string, reader: Reading, within: readonly string[]): CwlType {
  if (name.endsWith('?')) return unionOf([NULL, readName(name.slice(0, -1), reader, within)]);
  if (name.endsWith('[]')) {
    const items = name.slice(0, -2);
    if (items.endsWith('[]') && isBefore(reader.version, 'v1.2')) reader.report(`type ${name}: nested array shorthand needs cwlVersion v1.2`);
    return arrayOf(readName(items, reader, within));
  }
  if (isPrimitive(name)) return { kind: name };
  if (STREAMS.includes(name)) return { kind: 'File' };
  const short = shortName(name);
  const definition = reader.named.map((types) => types.get(short)).find((found) => found !== undefined);
  if (definition === undefined) {
    reader.report(`unknown type ${JSON.stringify(name)}`);
    return ANY;
  }
  if (within.includes(short)) {
    reader.report(`type ${short} contains itself`);
    return ANY;
  }
  return read(definition, reader, [...within, short]);
}

function readSchema(schema: Mapping, reader: Reading, within: readonly string[]): CwlType {
  switch (schema['type']) {
    case 'array': return arrayOf(read(schema['items'], reader, within));
    case 'record': return { kind: 'record', fields: readFields(schema['fields'], reader, within) };
    case 'enum': return { kind: 'enum', symbols: readSymbols(schema['symbols'], reader) };
    default: return read(schema['type'], reader, within);
  }
}

function readFields(value: unknown, reader: Reading, within: readonly string[]): CwlField[] {
  const fields = entriesOf(value, [], 'name', 'type');
  if (fields === null || fields.strays.length > 0) reader.report('`fields` of a record must be a list or a map of fields');
  const names = new Set<string>();
  return (fields?.entries ?? []).map(({ name, value: field }) => {
    if (name === '') reader.report('a field of a record has no name');
    if (names.has(name)) reader.report(`a record has two fields ${name}`);
    names.add(name);
    return { name, type: read(field['type'], reader, within) };
  });
}

function readSymbols(value: unknown, reader: Reading): string[] {
  const symbols = Array.isArray(value) ? (value as readonly unknown[]).filter((symbol) => typeof symbol === 'string') : [];
  if (symbols.length === 0) reader.report('`symbols` of an enum must be a list of names');
  return symbols.map(shortName);
}
