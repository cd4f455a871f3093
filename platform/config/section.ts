// Defines a mapping of the configuration file: strict about its keys, snake_case in the file, camelCase in
// the program.
import { z } from 'zod';
import { closest } from './closest.ts';

type Camel<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Key;

/**
 * `health_path` → `healthPath`. A key `x_env` names an environment variable; the program gets the variable's
 * value as `x`.
 */
type PropertyName<Key> = Key extends `${infer Name}_env`
  ? Camel<Name>
  : Key extends string
    ? Camel<Key>
    : never;

export type Camelled<Shape> = { [Key in keyof Shape as PropertyName<Key>]: Shape[Key] };

const propertyName = (key: string): string =>
  key.replace(/_env$/, '').replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function camelled<Shape extends object>(value: Shape): Camelled<Shape> {
  const entries = Object.entries(value)
    .filter(([, held]) => held !== undefined)
    .map(([key, held]: [string, unknown]) => [propertyName(key), held]);
  // propertyName and PropertyName are the same mapping, for values and for types
  return Object.fromEntries(entries) as Camelled<Shape>;
}

/**
 * The message for unknown keys. zod reports several keys as one issue, so the message has one line per key,
 * in order.
 */
const unknownKeys = (keys: readonly string[], known: readonly string[]): string =>
  keys
    .map((key) => {
      const meant = closest(key, known);
      return meant === undefined
        ? `unknown key; known keys: ${known.join(', ')}`
        : `unknown key; did you mean "${meant}"?`;
    })
    .join('\n');

export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const object = z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys, Object.keys(shape)) : undefined,
  });
  return object.transform((value) => camelled(value));
}
