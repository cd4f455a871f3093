// Types of CWL values, after shorthand and names have been resolved.
import { isOneOf } from '../../../platform/is-one-of.ts';

const PRIMITIVES = [
  'null',
  'boolean',
  'int',
  'long',
  'float',
  'double',
  'string',
  'File',
  'Directory',
  'Any',
] as const;
export type CwlPrimitive = (typeof PRIMITIVES)[number];
export const isPrimitive = (name: string): name is CwlPrimitive => isOneOf(PRIMITIVES, name);

export interface CwlField {
  readonly name: string;
  readonly type: CwlType;
}

export type CwlType =
  | { readonly kind: CwlPrimitive }
  | { readonly kind: 'array'; readonly items: CwlType }
  | { readonly kind: 'record'; readonly fields: readonly CwlField[] }
  | { readonly kind: 'enum'; readonly symbols: readonly string[] }
  /** Flat, with at least two members. */
  | { readonly kind: 'union'; readonly of: readonly CwlType[] };

export const NULL: CwlType = { kind: 'null' };
export const ANY: CwlType = { kind: 'Any' };

const membersOf = (type: CwlType): readonly CwlType[] => (type.kind === 'union' ? type.of : [type]);

/** A union of types; nested unions are flattened, a union of one type is that type. */
export function unionOf(types: readonly CwlType[]): CwlType {
  const members = types.flatMap(membersOf);
  const [only] = members;
  return members.length === 1 && only ? only : { kind: 'union', of: members };
}

export const arrayOf = (items: CwlType): CwlType => ({ kind: 'array', items });
/** Whether null is declared as a value of the type; `Any` excludes null. */
export const isOptional = (type: CwlType): boolean =>
  membersOf(type).some((member) => member.kind === 'null');
export const optional = (type: CwlType): CwlType => (isOptional(type) ? type : unionOf([NULL, type]));

/** The type without null; null itself if nothing else is left. */
export function withoutNull(type: CwlType): CwlType {
  const members = membersOf(type).filter((member) => member.kind !== 'null');
  return members.length === 0 ? NULL : unionOf(members);
}

/** A type in CWL's own shorthand if it has one: `int[]?`, `record {uri: File}`. */
export function showCwlType(type: CwlType): string {
  switch (type.kind) {
    case 'array':
      return `${type.items.kind === 'union' ? `(${showCwlType(type.items)})` : showCwlType(type.items)}[]`;
    case 'record':
      return `record {${type.fields.map((field) => `${field.name}: ${showCwlType(field.type)}`).join(', ')}}`;
    case 'enum':
      return `enum (${type.symbols.join(' | ')})`;
    case 'union': {
      const rest = withoutNull(type);
      return isOptional(type) && rest.kind !== 'union'
        ? `${showCwlType(rest)}?`
        : type.of.map(showCwlType).join(' | ');
    }
    default:
      return type.kind;
  }
}

const NUMBERS: readonly string[] = ['int', 'long', 'float', 'double'] satisfies CwlPrimitive[];

/**
 * Whether a value of one type may be linked to a parameter of another: some member of the source fits some
 * member of the sink, as in CWL's reference implementation (whether every value fits, only a run can tell).
 */
export function fits(source: CwlType, sink: CwlType): boolean {
  if (sink.kind === 'Any') return source.kind !== 'null';
  if (source.kind === 'Any') return true;
  if (source.kind === 'union' && sink.kind === 'union') {
    const from = source.of.filter((member) => member.kind !== 'null');
    const to = sink.of.filter((member) => member.kind !== 'null');
    if (from.length > 0 && to.length > 0) return from.some((a) => to.some((b) => fits(a, b)));
  }
  if (source.kind === 'union') return source.of.some((member) => fits(member, sink));
  if (sink.kind === 'union') return sink.of.some((member) => fits(source, member));
  if (source.kind === 'array' && sink.kind === 'array') return fits(source.items, sink.items);
  if (source.kind === 'record' && sink.kind === 'record') {
    return sink.fields.every((field) =>
      fits(source.fields.find((other) => other.name === field.name)?.type ?? NULL, field.type),
    );
  }
  if (source.kind === 'enum' && sink.kind === 'enum')
    return source.symbols.every((symbol) => sink.symbols.includes(symbol));
  if (
    (source.kind === 'enum' && sink.kind === 'string') ||
    (source.kind === 'string' && sink.kind === 'enum')
  )
    return true;
  if (NUMBERS.includes(source.kind) && NUMBERS.includes(sink.kind)) return true;
  return source.kind === sink.kind;
}
