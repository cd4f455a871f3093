// Parses a rule definition for registration: its shape, before any look-up.
import { z } from 'zod';
import { ruleName } from '../../../platform/config/values.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { RuleDefinition } from '../rules/rule-definition.ts';
import { readRequirement } from './requirement.ts';
import { type Violation, violation } from './violation.ts';

const text = () => z.string().min(1).max(1000);

/** Not `z.record`, which leaves out the name `__proto__`. */
const match = () =>
  z
    .custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object')
    .superRefine((fields, context) => {
      for (const [field, value] of Object.entries(fields))
        if (!['string', 'number', 'boolean'].includes(typeof value))
          context.addIssue({
            code: 'custom',
            path: [field],
            message: 'must be a string, a number, a boolean or a {placeholder}',
          });
    });

const output = z.strictObject({
  entity_type: text(),
  from_output: text().nullish(),
  array_mode: z.literal('one_per_item').nullish(),
  match: match().nullish(),
});

const execute = z
  .strictObject({
    cwl_url: text().max(4000).nullish(),
    cwl_content: z.base64().min(1).nullish(),
    cwl_hash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: followed by 64 hexadecimal digits')
      .nullish(),
  })
  .refine(
    ({ cwl_url: url, cwl_content: content }) => (typeof url === 'string') !== (typeof content === 'string'),
    'must have exactly one of cwl_url and cwl_content',
  );

export const SCOPE = /^(?:global|user:[^\s\p{C}]{1,200})$/u;

const definition = z.strictObject({
  name: ruleName(),
  produces: z.union([output, z.array(output).min(1).max(100)]),
  requires: z
    .array(
      z.strictObject({
        ref: text().refine(
          (ref) => readRequirement(ref) !== null,
          'must be an entity type, optionally with conditions: Sample(sample_id={sample_id})',
        ),
      }),
    )
    .max(100)
    .nullish(),
  execute,
  description: z.string().max(10_000).nullish(),
  tags: z.array(text()).max(100).nullish(),
  scope: z.string().regex(SCOPE, 'must be global or user:<user id>').nullish(),
  reuse: z.enum(['any', 'produced'], 'must be any or produced').nullish(),
});

/** Fields that answers add to a definition: accepted in requests and ignored. */
const ANSWERED = [
  'status',
  'previous_version_id',
  'deprecation_note',
  'version',
  'rule',
  'cwl_hash',
  'workflow_hash',
  'registered_by',
  'registered_at',
];

/** The list form of `produces` gives better error messages. */
const definitionOf = (sent: Record<string, unknown>) => {
  const own = Object.fromEntries(Object.entries(sent).filter(([key]) => !ANSWERED.includes(key)));
  return (
    Array.isArray(own['produces'])
      ? definition.extend({ produces: z.array(output).min(1).max(100) })
      : definition.extend({ produces: output })
  ).safeParse(own);
};

/** The definition as it was sent, without those added fields; else all faults of its shape. */
export function readDefinition(
  sent: unknown,
): { readonly definition: RuleDefinition } | { readonly violations: readonly Violation[] } {
  if (!isObject(sent)) return { violations: [violation('definition', 'the definition must be an object')] };
  const { success, data, error } = definitionOf(sent);
  if (success) return { definition: data as RuleDefinition }; // Zod has checked this shape.
  return {
    violations: error.issues.map(({ path, message }) =>
      violation('definition', path.length === 0 ? message : `${path.join('.')}: ${message}`),
    ),
  };
}
