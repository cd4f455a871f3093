// The kinds of values that configuration keys hold: each checks, says what it wants, and gives the program its form.
import path from 'node:path';
import { z } from 'zod';
import type { Environment } from './environment.ts';
import { isCidr } from './networks.ts';
import { Secret } from './secret.ts';

/** What reading a document depends on beside its text. */
export interface Scope {
  readonly env: Environment;
  /** The directory of the document: what relative paths in it are relative to. */
  readonly directory: string;
}

export const text = (): z.ZodString => z.string().min(1);

/** Letters that can be seen, no slash: what may stand in a path segment and in an entity id. */
export const name = (): z.ZodString =>
  z.string().regex(/^[^\s/\p{C}]{1,120}$/u, 'must be 1 to 120 visible characters without spaces and slashes');

/** Characters of an expression, at most (contract 2). */
export const LONGEST_EXPRESSION = 4096;

/** A CEL expression; whether it means anything is for the component that runs it. */
export const expression = (): z.ZodString => z.string().min(1).max(LONGEST_EXPRESSION);

export const count = (least: number, most: number): z.ZodNumber => z.int().min(least).max(most);

/** Whole seconds, up to what a timer of 32-bit milliseconds holds. */
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
export const size = () =>
  z.unknown().transform((value, context) => {
    const parts = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(value.trim()) : null;
    const unit = UNITS[parts?.[2]?.toLowerCase() ?? ''];
    const bytes =
      typeof value === 'number'
        ? value
        : parts === null || unit === undefined
          ? Number.NaN
          : Math.round(Number(parts[1]) * unit);
    if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
    context.addIssue({ code: 'custom', message: 'must be a number of bytes or a size such as "1 MiB"' });
    return z.NEVER;
  });

const parsedUrl = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);

/** An address of one of the schemes (`http`, `postgres`, …). Http addresses hold neither credentials nor a fragment: they are shown in reports. */
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

/** The address of a service, without query, given without its final slash: paths are appended to it. */
export const baseUrl = () =>
  url('http', 'https')
    .refine((value) => !value.includes('?'), 'must have no query')
    .transform((value) => value.replace(/\/+$/, ''));

/** A path on the server: begins with a slash, has no query, no empty and no dot segment. */
export const urlPath = () =>
  z
    .string()
    .regex(
      /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$|^\/$/,
      'must be a path that begins with a slash, such as /health',
    );

export const cidr = () =>
  z.string().refine(isCidr, 'must be a network in CIDR notation, such as 10.0.0.0/8 or fd00::/8');

/** A file or directory, relative to the document that names it; absolute for the program. */
export const filePath = (scope: Scope) => text().transform((value) => path.resolve(scope.directory, value));

/** The name of an environment variable that must be set; the program gets what it holds. */
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
