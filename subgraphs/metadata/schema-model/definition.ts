// A schema definition: its fields, its parent, its rules, parsed from a request
// (docs/reference/metadata.md#schema-definition).
import { invalid } from '../../../platform/errors.ts';
import { unknownKey } from '../../../platform/suggestions.ts';
import { readFields } from './field.ts';
import type { FieldDefinition } from './field-definition.ts';
import { isObject } from '../../../platform/json-object.ts';

export interface SchemaRule {
  readonly ruleId: string;
  /** CEL over `data` and `previous`; true means that the write is valid. */
  readonly expression: string;
  readonly message: string;
}

export interface SchemaDefinition {
  readonly name: string;
  readonly version: string;
  readonly parent: string | null;
  readonly description: string | null;
  readonly fields: readonly FieldDefinition[];
  readonly rules: readonly SchemaRule[];
  /**
   * The definition as it was sent, and as it is echoed, with `required` in every field
   * (docs/reference/metadata.md#schema-definition).
   */
  readonly sent: Readonly<Record<string, unknown>>;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/;
const VERSION = /^v?\d{1,9}(\.\d{1,9}){0,3}$/;
const KNOWN = new Set(['name', 'version', 'fields', 'parent', 'rules', 'description']);
const KNOWN_IN_RULES = new Set(['rule_id', 'expression', 'message']);

const optionalText = (sent: Readonly<Record<string, unknown>>, key: string): string | null => {
  const value = sent[key];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalid(`${key} must be a string`);
  return value;
};

function readRules(value: unknown): SchemaRule[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid('rules must be a list');
  return value.map((rule: unknown, i) => {
    const r = isObject(rule) ? rule : {};
    const { rule_id: ruleId, expression, message } = r;
    if (typeof ruleId !== 'string' || ruleId === '') throw invalid(`rules[${i}].rule_id is required`);
    if (typeof expression !== 'string' || expression === '')
      throw invalid(`rules[${i}].expression is required`);
    if (message !== undefined && typeof message !== 'string')
      throw invalid(`rules[${i}].message must be a string`);
    return { ruleId, expression, message: message ?? `rule ${ruleId} is not met` };
  });
}

/**
 * Refuses keys of rules that mean nothing, such as a misspelled `message`. Definitions that are stored may have
 * some from before they were refused, and stay readable.
 * @throws DomainError `validation_failed`
 */
export function checkRuleKeys({ sent }: SchemaDefinition): void {
  const rules = (sent['rules'] ?? []) as readonly object[]; // readRules has checked that each is an object.
  for (const [i, rule] of rules.entries())
    for (const key of Object.keys(rule))
      if (!KNOWN_IN_RULES.has(key)) throw invalid(`rules[${i}]: ${unknownKey(key, KNOWN_IN_RULES)}`);
}

/** Parses a definition. @throws DomainError `validation_failed`, naming the location of the fault */
export function readDefinition(sent: Readonly<Record<string, unknown>>): SchemaDefinition {
  for (const key of Object.keys(sent))
    if (!KNOWN.has(key)) throw invalid(`schema: ${unknownKey(key, KNOWN)}`);
  const { name } = sent;
  if (name === undefined || name === null || name === '') throw invalid('name is required');
  if (typeof name !== 'string') throw invalid('name must be a string');
  if (!NAME.test(name))
    throw invalid(
      'name must start with a letter and contain only letters, digits, `_`, `.` and `-`, at most 128 characters',
    );
  // Stored versions are numbers: `register` accepts no others.
  const version = typeof sent['version'] === 'number' ? String(sent['version']) : sent['version'];
  if (typeof version !== 'string' || version === '') throw invalid('version is required');
  if (!VERSION.test(version)) throw invalid('version must be numbers separated by dots, for example 1.0.0');
  const fields = readFields(sent['fields']);
  return {
    name,
    version,
    fields,
    parent: optionalText(sent, 'parent'),
    description: optionalText(sent, 'description'),
    rules: readRules(sent['rules']),
    sent: {
      ...sent,
      version,
      fields: (sent['fields'] as readonly object[]).map((field, i) => ({
        ...field,
        required: fields[i]?.required ?? false,
      })),
    }, // readFields has checked that each is an object.
  };
}

/** Negative if `a` is the lower version; `1.2` and `1.2.0` and `v1.2` are equal. */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string): number[] => version.replace(/^v/, '').split('.').map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
