// Converts zod's issues to messages for operators.
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

/**
 * Shows scalars, so that a typing error is visible. Long text and URLs, which may contain a password, are not
 * shown.
 */
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
      if (issue.origin === 'string') return 'must not be empty';
      if (issue.origin === 'array') return `must have at least ${issue.minimum}`;
      return `must be ${issue.minimum} or more, not ${shown(issue.input)}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      if (issue.origin === 'array') return `must have at most ${issue.maximum}`;
      return `must be ${issue.maximum} or less, not ${shown(issue.input)}`;
    case 'invalid_union': {
      if (!('discriminator' in issue) || issue.discriminator === undefined) return issue.message;
      // The discriminated union has checked that it is a mapping.
      const input = issue.input as Record<string, unknown> | undefined;
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

/** Returns one fault per issue, and one per key where keys are unknown. */
export function faultsOf(error: z.ZodError, origin: Origin): ConfigFault[] {
  return error.issues.flatMap((issue): ConfigFault[] => {
    const path = issue.path as Path; // symbols are not YAML keys
    if (issue.code !== 'unrecognized_keys') return [faultAt(origin, path, sentence(issue))];
    const lines = issue.message.split('\n');
    return issue.keys.map((key, i) => faultAt(origin, [...path, key], lines[i] ?? 'unknown key'));
  });
}
