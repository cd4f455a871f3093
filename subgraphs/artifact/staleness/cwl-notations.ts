// CWL's short notations as the long ones that they stand for, and fields that only describe.
import { isList, isObject } from '../../../platform/json-object.ts';
import { listOf } from '../cwl/entries.ts';

type Mapping = Readonly<Record<string, unknown>>;

const DESCRIBING = ['doc', 'label', 'intent', '$schemas'];
/** Fields of CWL itself in full (`cwl:when`). */
const OF_CWL = /^(?:cwl:|https?:\/\/w3id\.org\/cwl\/)/;
/** Fields of other vocabularies (`s:author`) are metadata: extensions that change a run are requirements or hints. */
const describes = (name: string): boolean =>
  DESCRIBING.includes(name) || (name.includes(':') && !OF_CWL.test(name));

/** The fields of a process, a part or a type that say what is done. */
export const meantFields = (value: Mapping): [string, unknown][] =>
  Object.entries(value).filter(([name]) => !describes(name));

/** A list by one field of its members, as CWL may write it too; null where any has none of its own. */
function byField(members: readonly unknown[], field: string): Mapping | null {
  const entries = members.flatMap((member): [string, unknown][] => {
    if (!isObject(member)) return [];
    const { [field]: name, ...held } = member;
    return typeof name === 'string' ? [[name, held]] : [];
  });
  const distinct = new Map(entries);
  return distinct.size === members.length ? Object.fromEntries(distinct) : null;
}

/** Members by a field, each in its long form; as written where they have none. */
export function eachBy(field: string, written: unknown, long: (member: unknown) => unknown): unknown {
  const value = isList(written) ? (byField(written, field) ?? written) : written;
  if (isList(value)) return value.map(long);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, long(member)]));
}

/** A member that may be written as the value of one of its fields. */
export const whole = (member: unknown, field: string): Mapping =>
  isObject(member) ? member : { [field]: member };

function namedType(name: string): unknown {
  if (name.endsWith('?')) return typeOf(['null', name.slice(0, -1)]);
  return name.endsWith('[]') ? { type: 'array', items: typeOf(name.slice(0, -2)) } : name;
}

/** `string?`, `string[]`, and types in types. */
function typeOf(type: unknown): unknown {
  if (typeof type === 'string') return namedType(type);
  if (isList(type)) return type.length === 1 ? typeOf(type[0]) : type.map(typeOf);
  if (!isObject(type)) return type;
  return Object.fromEntries(
    meantFields(type).map(([name, held]) => {
      if (name === 'fields') return [name, eachBy('name', held, (one) => typeOf(whole(one, 'type')))];
      if (name === 'secondaryFiles') return [name, secondaryFiles(held)];
      return [name, name === 'items' || name === 'type' ? typeOf(held) : held];
    }),
  );
}

/** `.bai?` need not be there. */
const secondaryFiles = (written: unknown): unknown =>
  listOf(written).map((one) =>
    typeof one === 'string' && one.endsWith('?')
      ? { pattern: one.slice(0, -1), required: false }
      : whole(one, 'pattern'),
  );

/** Requirements and hints by their classes. */
const classes = (written: unknown): unknown =>
  eachBy('class', written, (one) => {
    if (!isObject(one) || !isList(one['types'])) return one;
    return { ...one, types: one['types'].map(typeOf) };
  });

const outputs = (written: unknown): unknown =>
  isList(written)
    ? written.map((one) => (isObject(one) && Object.keys(one).join() === 'id' ? one['id'] : one))
    : written;

/** Fields of processes and their parts with a notation of their own; `source` is none: a list of one is another value. */
const LONG = new Map<string, (written: unknown) => unknown>(
  Object.entries({
    baseCommand: listOf,
    hints: classes,
    in: (written: unknown) =>
      eachBy('id', written, (one) => Object.fromEntries(meantFields(whole(one, 'source')))),
    out: outputs,
    outputBinding: (written: unknown) =>
      isObject(written) && 'glob' in written ? { ...written, glob: listOf(written['glob']) } : written,
    requirements: classes,
    scatter: listOf,
    secondaryFiles,
    type: typeOf,
  }),
);

export const longForm = (name: string, written: unknown): unknown => LONG.get(name)?.(written) ?? written;
