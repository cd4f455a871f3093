// Defines a rule package: a YAML file of production rules that are available from the start
// (docs/reference/artifact.md#rule-packages).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Origin } from './faults.ts';
import { section } from './section.ts';
import { name, ruleName, type Scope, nonEmptyText, url } from './values.ts';

const produces = () =>
  section({
    entity_type: nonEmptyText(),
    from_output: nonEmptyText().optional(),
    array_mode: z.literal('one_per_item').optional(),
    match: z.record(z.string(), z.unknown()).default({}),
  });

/**
 * A CWL file beside the package. Its content becomes `cwl_content`, and its path is relative, so that a
 * package can be moved as a directory.
 */
const cwlFile = (scope: Scope) =>
  nonEmptyText().transform((file, context) => {
    try {
      return readFileSync(path.resolve(scope.directory, file)).toString('base64');
    } catch (cause) {
      context.addIssue({
        code: 'custom',
        message: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      });
      return z.NEVER;
    }
  });

const execute = (scope: Scope) =>
  section({
    cwl_url: url('http', 'https').optional(),
    cwl_content: z.base64().min(1).optional(),
    cwl_file: cwlFile(scope).optional(),
    cwl_hash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: followed by 64 hexadecimal digits')
      .optional(),
  })
    .superRefine((value, context) => {
      const sources = [value.cwlUrl, value.cwlContent, value.cwlFile].filter((given) => given !== undefined);
      if (sources.length !== 1)
        context.addIssue({
          code: 'custom',
          message: 'must have exactly one of cwl_url, cwl_content and cwl_file',
        });
    })
    .transform(({ cwlFile: file, ...rest }) => (file === undefined ? rest : { ...rest, cwlContent: file }));

export const rule = (scope: Scope) =>
  section({
    name: ruleName(),
    produces: z.preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(produces()).min(1),
    ),
    requires: z.array(section({ ref: nonEmptyText() })).default([]),
    execute: execute(scope),
    description: nonEmptyText().optional(),
    tags: z.array(nonEmptyText()).default([]),
    scope: z
      .string()
      .regex(/^(?:global|user:\S+)$/, 'must be global or user:<user id>')
      .default('global'),
    reuse: z.enum(['any', 'produced']).optional(),
  });

/** The package without its rules, which are read one by one. */
export const rulePackage = () =>
  section({ name: name(), description: nonEmptyText().optional(), rules: z.array(z.unknown()) });

/** A rule of a package. `package` is the package's name. */
export type PackagedRule = z.output<ReturnType<typeof rule>> & {
  readonly package: string;
  readonly origin: Origin;
};
