// What differs between two definitions of entity types: for those who ask the server, and for the command line, which
// compares with a file.
import { isList, isObject } from './json-object.ts';
import { givenMembers, type PartDifference, partDifferences } from './part-differences.ts';

type Definition = Readonly<Record<string, unknown>>;

/** What says nothing of a field. */
const DEFAULTS: Definition = { required: false, unique: false, many: false, indexed: false };

/** Parts by their names; as they are where they have none. */
function byName(parts: unknown, name: string, shown: (part: Definition) => Definition): unknown {
  if (parts === undefined || parts === null) return {};
  if (!isList(parts) || !parts.every((part) => isObject(part) && typeof part[name] === 'string'))
    return parts;
  return Object.fromEntries(
    parts.flatMap((part) => (isObject(part) ? [[String(part[name]), shown(part)]] : [])),
  );
}

const withoutDefaults = (field: Definition): Definition =>
  Object.fromEntries(
    Object.entries(givenMembers(field)).filter(
      ([key, value]) => !(Object.hasOwn(DEFAULTS, key) && DEFAULTS[key] === value),
    ),
  );

/** Properties of the type, then its fields and rules by their names: as a whole, or by their own properties. */
export function schemaDifferences(
  before: Definition,
  after: Definition,
  by: 'name' | 'property',
): readonly PartDifference[] {
  const depth = by === 'name' ? 1 : 2;
  const [was, is] = [before, after].map(({ fields, rules, ...properties }) => ({
    properties: givenMembers(properties),
    fields: byName(fields, 'name', withoutDefaults),
    rules: byName(rules, 'rule_id', givenMembers),
  }));
  return [
    ...partDifferences(was?.properties, is?.properties, 1),
    ...partDifferences(was?.fields, is?.fields, depth, ['fields']),
    ...partDifferences(was?.rules, is?.rules, depth, ['rules']),
  ];
}
