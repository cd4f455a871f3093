// Compares a new version of a schema with the old one, and decides whether stored data must be checked
// (docs/reference/metadata.md#schema-changes).
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { SchemaDefinition, SchemaRule } from '../schema-model/definition.ts';
import { areEnumNames, oddWord } from '../schema-model/enum-names.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';

export interface Evolution {
  /** The changes as text, for MigrationApplied's `changes_applied`. */
  readonly changes: readonly string[];
  /** Whether data that was valid before may become invalid: then stored data is checked. */
  readonly narrows: boolean;
}

export function evolutionOf(before: SchemaDefinition | undefined, after: SchemaDefinition): Evolution {
  if (!before) return { changes: [`create schema ${after.name} ${after.version}`], narrows: false };
  const changes = [`change schema ${after.name} from ${before.version} to ${after.version}`];
  let narrows = before.parent !== after.parent;
  if (narrows) changes.push(`parent: ${before.parent ?? 'none'} → ${after.parent ?? 'none'}`);
  const old = new Map(before.fields.map((f) => [f.name, f]));
  for (const field of after.fields) {
    const was = old.get(field.name);
    old.delete(field.name);
    if (!was) {
      changes.push(`add ${field.required ? 'required' : 'optional'} field ${field.name}`);
      narrows ||= field.required || field.unique;
      continue;
    }
    const difference = fieldChanges(was, field);
    changes.push(...difference.changes);
    narrows ||= difference.narrows;
  }
  for (const gone of old.values()) {
    changes.push(`remove field ${gone.name}`);
    narrows = true;
  }
  if (before.description !== after.description)
    changes.push(`description: ${JSON.stringify(before.description)} → ${JSON.stringify(after.description)}`);
  return { changes: [...changes, ...ruleChanges(before.rules, after.rules)], narrows };
}

function ruleChanges(before: readonly SchemaRule[], after: readonly SchemaRule[]): string[] {
  const named = (rules: readonly SchemaRule[], { ruleId }: SchemaRule): SchemaRule | undefined =>
    rules.find((rule) => rule.ruleId === ruleId);
  return [
    ...after.flatMap((rule) => {
      const was = named(before, rule);
      if (!was) return [`add rule ${rule.ruleId}`];
      return was.expression === rule.expression && was.message === rule.message
        ? []
        : [`change rule ${rule.ruleId}`];
    }),
    ...before.filter((rule) => !named(after, rule)).map(({ ruleId }) => `remove rule ${ruleId}`),
  ];
}

/** What an enum is in typed GraphQL (docs/reference/metadata.md#typed-enums). */
const typedKind = ({ type, values }: FieldDefinition): string =>
  type === 'enum' && areEnumNames(values) ? 'enum' : 'String';
const oddSaid = ({ values }: FieldDefinition): string => {
  const odd = oddWord(values);
  return odd === undefined ? '' : `, since ${JSON.stringify(odd)} is no name there`;
};

function fieldChanges(was: FieldDefinition, is: FieldDefinition): Evolution {
  const changes: string[] = [];
  let narrows = false;
  const note = (what: string, from: unknown, to: unknown, narrowing: boolean): void => {
    changes.push(`field ${is.name}: ${what} ${String(from)} → ${String(to)}`);
    narrows ||= narrowing;
  };
  if (was.type !== is.type) note('type', was.type, is.type, true);
  if (was.many !== is.many) note('many', was.many, is.many, true);
  if (was.required !== is.required) note('required', was.required, is.required, is.required);
  if (was.unique !== is.unique) note('unique', was.unique, is.unique, is.unique);
  if (was.indexed !== is.indexed) note('indexed', was.indexed, is.indexed, false);
  if (was.references !== is.references) note('references', was.references, is.references, true);
  // stored data is checked separately
  if (was.mustExist !== is.mustExist) note('must_exist', was.mustExist, is.mustExist, false);
  if (was.searchable !== is.searchable) note('searchable', was.searchable, is.searchable, false);
  if (canonicalJson(was.default ?? null) !== canonicalJson(is.default ?? null))
    note('default', JSON.stringify(was.default ?? null), JSON.stringify(is.default ?? null), false);
  if (was.description !== is.description)
    note('description', JSON.stringify(was.description), JSON.stringify(is.description), false);
  const [added, removed] = [
    is.values.filter((v) => !was.values.includes(v)),
    was.values.filter((v) => !is.values.includes(v)),
  ];
  if (added.length > 0) note('values added', '', added.join(', '), false);
  if (removed.length > 0) note('values removed', removed.join(', '), '', true);
  const [before, after] = [was, is].map(typedKind);
  if (before !== after && was.type === is.type)
    note('in typed GraphQL', before, `${after}${oddSaid(is)}`, false);
  return { changes, narrows };
}
