// Defines the value types of configuration keys: each validates its input, describes what is expected, and
// converts the value.
import path from 'node:path';
import { z } from 'zod';
import type { Environment } from './environment.ts';
import { isCidr } from './networks.ts';
import { Secret } from './secret.ts';

/** The context that a document is read in. */
export interface Scope {
  readonly env: Environment;
  /** The directory of the document, which is the base of its relative paths. */
  readonly directory: string;
}

export const nonEmptyText = (): z.ZodString => z.string().min(1);

/**
 * Visible characters without spaces, slashes and backslashes, and no dot segment, so that the name fits into a path
 * segment and an entity id.
 */
export const name = (): z.ZodString =>
  z
    .string()
    .regex(
      /^(?!\.{1,2}$)[^\s/\\\p{C}]{1,120}$/u,
      'must be 1 to 120 visible characters without spaces, slashes and backslashes, and neither . nor ..',
    );

/** The same of a rule, whose versions are `name@n`. */
export const ruleName = (): z.ZodString =>
  z
    .string()
    .regex(
      /^(?!\.{1,2}$)[^\s/\\@\p{C}]{1,120}$/u,
      'must be 1 to 120 visible characters without spaces, slashes, backslashes and @, and neither . nor ..',
    );

/** Maximum length of an expression in characters (docs/reference/cel.md#limits). */
export const MAX_EXPRESSION_LENGTH = 4096;

/** A CEL expression. The component that evaluates it checks its content. */
export const expression = (): z.ZodString => z.string().min(1).max(MAX_EXPRESSION_LENGTH);

export const count = (least: number, most: number): z.ZodNumber => z.int().min(least).max(most);

/** Whole seconds, up to the maximum of a timer with 32-bit milliseconds. */
export const seconds = (least = 1): z.ZodNumber => count(least, 2_147_483);

const UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Bytes as a number, or with a unit: `1 MiB`, `500 kB`. */
export const size = (least = 1) =>
  z.unknown().transform((value, context) => {
    const parts = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(value.trim()) : null;
    const unit = UNITS[parts?.[2]?.toLowerCase() ?? ''];
    const written = parts === null || unit === undefined ? Number.NaN : Math.round(Number(parts[1]) * unit);
    const bytes = typeof value === 'number' ? value : written;
    if (Number.isSafeInteger(bytes) && bytes >= least) return bytes;
    context.addIssue({ code: 'custom', message: 'must be a number of bytes, or a size such as "1 MiB"' });
    return z.NEVER;
  });

const parsedUrl = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);

/**
 * A URL with one of the schemes (`http`, `postgres`, …). HTTP URLs may contain neither credentials nor a
 * fragment, because they are shown in reports.
 */
export const url = (...schemes: readonly [string, ...string[]]) =>
  z.string().refine(
    (value) => {
      const parsed = parsedUrl(value);
      if (parsed === undefined || !schemes.includes(parsed.protocol.slice(0, -1)) || !value.includes('://'))
        return false;
      return (
        !parsed.protocol.startsWith('http') ||
        (parsed.username === '' && parsed.password === '' && parsed.hash === '')
      );
    },
    `must be an address of the form ${schemes.map((scheme) => `${scheme}://…`).join(' or ')}${schemes[0].startsWith('http') ? ', without user name, password and fragment' : ''}`,
  );

/** The URL of a service without a query. A trailing slash is removed, because paths are appended. */
export const baseUrl = () =>
  url('http', 'https')
    .refine((value) => !value.includes('?'), 'must have no query')
    .transform((value) => value.replace(/\/+$/, ''));

/** A path on the server: begins with a slash and has no query, empty segment or dot segment. */
export const urlPath = () =>
  z
    .string()
    .regex(
      /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$|^\/$/,
      'must be a path that begins with a slash, such as /health',
    );

export const cidr = () =>
  z.string().refine(isCidr, 'must be a network in CIDR notation, such as 10.0.0.0/8 or fd00::/8');

/** A path relative to the document that contains it; converted to an absolute path. */
export const filePath = (scope: Scope) =>
  nonEmptyText().transform((value) => path.resolve(scope.directory, value));

/** A directory, or `s3://bucket/prefix`. */
export const backupPlace = (scope: Scope) =>
  nonEmptyText()
    .refine(
      (value) => !value.includes('://') || /^s3:\/\/[a-z0-9][a-z0-9.-]+(?:\/.*)?$/.test(value),
      'must be a directory, or an address of the form s3://bucket/prefix',
    )
    .transform((value) => (value.startsWith('s3://') ? value : path.resolve(scope.directory, value)));

/** The name of an environment variable that must be set; converted to the variable's value. */
export const secretEnv = (scope: Scope) =>
  z.string().transform((variable, context) => {
    const value = scope.env[variable];
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable))
      context.addIssue({
        code: 'custom',
        message: 'must be the name of an environment variable, not the secret itself',
      });
    else if (value === undefined || value === '')
      context.addIssue({ code: 'custom', message: `the environment variable ${variable} is not set` });
    else return new Secret(value);
    return z.NEVER;
  });
