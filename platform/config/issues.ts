// Says in an operator's words what zod found.
import type { z } from 'zod';
import { faultAt, type ConfigFault, type Origin, type Path } from './faults.ts';

const NAMES: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'null',
};

/** Scalars are shown, so that a typing error is seen; nothing long, and never an address, which may hold a password. */
function shown(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'a mapping';
  const text = JSON.stringify(input) ?? 'nothing';
  return text.length > 40 || text.includes('://') ? 'this text' : text;
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${NAMES[issue.expected] ?? issue.expected}, not ${shown(issue.input)}`;
    case 'invalid_value':
      return issue.input === undefined && issue.values.length > 0
        ? `is required: one of ${issue.values.join(', ')}`
        : `must be one of ${issue.values.join(', ')}, not ${shown(issue.input)}`;
    case 'too_small':
      return issue.origin === 'string'
        ? 'must not be empty'
        : issue.origin === 'array'
          ? `must have at least ${issue.minimum}`
          : `must be ${issue.minimum} or more, not ${shown(issue.input)}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : issue.origin === 'array'
          ? `must have at most ${issue.maximum}`
          : `must be ${issue.maximum} or less, not ${shown(issue.input)}`;
    case 'invalid_union': {
      if (!('discriminator' in issue) || issue.discriminator === undefined) return issue.message;
      const input = issue.input as Record<string, unknown> | undefined; // a discriminated union has checked that it is a mapping
      const given = input?.[issue.discriminator];
      const allowed = 'options' in issue && Array.isArray(issue.options) ? issue.options.join(', ') : '';
      return given === undefined
        ? `is required: one of ${allowed}`
        : `must be one of ${allowed}, not ${shown(given)}`;
    }
    default:
      return issue.message;
  }
}

/** One fault per issue, and one per key where keys are unknown. */
export function faultsOf(error: z.ZodError, origin: Origin): ConfigFault[] {
  return error.issues.flatMap((issue): ConfigFault[] => {
    const path = issue.path as Path; // symbols are not YAML keys
    if (issue.code !== 'unrecognized_keys') return [faultAt(origin, path, sentence(issue))];
    const lines = issue.message.split('\n');
    return issue.keys.map((key, i) => faultAt(origin, [...path, key], lines[i] ?? 'unknown key'));
  });
}
