// Holds a declared row type, and the types of what is given for parameters, against what PostgreSQL says.
import ts from 'typescript';
import type { Column, Described, Kind, Parameter } from './describe.ts';
import type { Variant } from './statements.ts';

const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void;
const partsOf = (type: ts.Type): readonly ts.Type[] =>
  (type.isUnion() ? type.types : [type]).filter((part) => !(part.flags & NOTHING));
const isNamed = (type: ts.Type, ...names: string[]): boolean => names.includes(type.getSymbol()?.name ?? '');

/** What pairs of a type and a kind go together in one direction. */
interface Fit {
  readonly checker: ts.TypeChecker;
  /** Of a parameter: the driver writes more types than it reads. */
  readonly isGiven: boolean;
}

/** Whether each part of the type is what the kind is; null and undefined are looked at by themselves. */
function fits(type: ts.Type, kind: Kind, fit: Fit): boolean {
  const { checker, isGiven } = fit;
  if (typeof kind === 'object')
    return partsOf(type).every((part) => {
      const element = checker.getIndexTypeOfType(part, ts.IndexKind.Number);
      return checker.isArrayLikeType(part) && element !== undefined && fits(element, kind.listOf, fit);
    });
  const isA = (base: ts.Type): boolean =>
    partsOf(type).every((part) => checker.isTypeAssignableTo(part, base));
  switch (kind) {
    case 'json':
      // the driver writes a list as PostgreSQL's, not as JSON
      return partsOf(type).every((part) =>
        isGiven
          ? !checker.isArrayLikeType(part)
          : !isNamed(part, 'Date', 'Buffer') &&
            (partsOf(type).length > 1 || !(part.flags & ts.TypeFlags.StringLike)),
      );
    case 'string':
      return !(type.flags & ts.TypeFlags.Any) && isA(checker.getStringType());
    case 'digits':
      return fits(type, 'string', fit) || (isGiven && fits(type, 'number', fit));
    case 'number':
      return !(type.flags & ts.TypeFlags.Any) && isA(checker.getNumberType());
    case 'boolean':
      return !(type.flags & ts.TypeFlags.Any) && isA(checker.getBooleanType());
    case 'date':
      return partsOf(type).every(
        (part) =>
          isNamed(part, 'Date') || (isGiven && checker.isTypeAssignableTo(part, checker.getStringType())),
      );
    case 'bytes':
      return partsOf(type).every((part) => isNamed(part, 'Buffer'));
    case 'void':
      return false;
    default:
      return kind satisfies never;
  }
}

const canBeNull = (type: ts.Type): boolean =>
  Boolean(type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Null)) ||
  (type.isUnion() && type.types.some(canBeNull));

/** The members of a row type; of a union, those of each part. */
function membersOf(
  row: ts.Type,
  checker: ts.TypeChecker,
): Map<string, { types: ts.Type[]; isOptional: boolean }> {
  const members = new Map<string, { types: ts.Type[]; isOptional: boolean }>();
  for (const part of row.isUnion() ? row.types : [row])
    for (const property of checker.getPropertiesOfType(part)) {
      const known = members.get(property.name) ?? { types: [], isOptional: false };
      known.types.push(checker.getTypeOfSymbol(property));
      known.isOptional ||= Boolean(property.flags & ts.SymbolFlags.Optional);
      members.set(property.name, known);
    }
  return members;
}

function columnFaults(row: ts.Type, columns: readonly Column[], isText: boolean, fit: Fit): string[] {
  const { checker } = fit;
  const faults: string[] = [];
  const members = membersOf(row, checker);
  for (const { name, kind, type, isNullable } of columns) {
    const member = members.get(name);
    members.delete(name);
    if (kind === 'void' && !member) continue; // a call for what it does
    if (!member) {
      faults.push(`the column "${name}" is not in the row type`);
      continue;
    }
    const written = member.types.map((one) => checker.typeToString(one)).join(' | ');
    if (!member.types.every((one) => fits(one, isText ? 'string' : kind, fit)))
      faults.push(`"${name}" is ${isText ? 'read as text' : type}, and declared as ${written}`);
    if (isNullable && !member.types.some(canBeNull))
      faults.push(`"${name}" may be null, and is declared as ${written}`);
  }
  for (const [name, { isOptional }] of members) if (!isOptional) faults.push(`there is no column "${name}"`);
  return faults;
}

function parameterFaults(given: readonly ts.Type[], wanted: readonly Parameter[], fit: Fit): string[] {
  if (given.length !== wanted.length) return [`${wanted.length} parameters, and ${given.length} values`];
  return wanted.flatMap((parameter, i) => {
    const type = given[i];
    return type === undefined || fits(type, parameter.kind, fit)
      ? []
      : [`$${i + 1} is ${parameter.type}, and given ${fit.checker.typeToString(type)}`];
  });
}

/** What does not go together, in words; nothing where all does. */
export function faultsOf(
  { row, isText }: { readonly row: ts.Type | undefined; readonly isText: boolean },
  { parameters }: Pick<Variant, 'parameters'>,
  described: Described,
  checker: ts.TypeChecker,
): string[] {
  return [
    ...(row ? columnFaults(row, described.columns, isText, { checker, isGiven: false }) : []),
    ...(parameters ? parameterFaults(parameters, described.parameters, { checker, isGiven: true }) : []),
  ];
}

/** The same of values that were given when a statement was put together. */
export function valueFaults(values: readonly unknown[], { parameters }: Described): string[] {
  if (values.length !== parameters.length)
    return [`${parameters.length} parameters, and ${values.length} values`];
  return parameters.flatMap(({ kind, type }, i) =>
    isGiven(values[i], kind) ? [] : [`$${i + 1} is ${type}, and given ${JSON.stringify(values[i])}`],
  );
}

function isGiven(value: unknown, kind: Kind): boolean {
  if (value === null || value === undefined) return true;
  if (typeof kind === 'object')
    return Array.isArray(value) && value.every((one) => isGiven(one, kind.listOf));
  switch (kind) {
    case 'json':
      return !Array.isArray(value);
    case 'digits':
      return typeof value === 'string' || typeof value === 'number';
    case 'date':
      return typeof value === 'string' || value instanceof Date;
    case 'bytes':
      return Buffer.isBuffer(value);
    case 'void':
      return false;
    default:
      return typeof value === kind;
  }
}
