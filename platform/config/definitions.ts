// Reads lists of definitions (triggers, adapters, validators, rules) item by item, so that a fault in one
// does not hide faults in others.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { adapter, type Adapter } from './adapter-definition.ts';
import { included, validator, type ConfiguredValidator } from './component-sections.ts';
import type { Environment } from './environment.ts';
import { type ConfigFault, faultAt, type Origin, type Path } from './faults.ts';
import { faultsOf } from './issues.ts';
import { type PackagedRule, rule, rulePackage } from './rule-definition.ts';
import { readSource, type Source } from './source.ts';
import { trigger, type TriggerConfig } from './trigger-definition.ts';
import type { Scope } from './values.ts';

/** A named item as written, valid or not. Name clashes are checked among all of them. */
export interface Named {
  readonly name: string;
  readonly item: unknown;
  readonly origin: Origin;
}

/** The valid definitions, and all items that have a name. */
export interface Definitions {
  readonly triggers: TriggerConfig[];
  readonly adapters: Adapter[];
  readonly validators: ConfiguredValidator[];
  readonly rules: PackagedRule[];
  readonly named: { readonly triggers: Named[]; readonly adapters: Named[]; readonly rules: Named[] };
  readonly faults: ConfigFault[];
}

/** Returns the value at a path of a plain tree; undefined where there is none. */
export function valueAt(tree: unknown, at: Path): unknown {
  let value = tree;
  for (const part of at) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part]; // checked by hasOwn
  }
  return value;
}

/** Returns the text at a path of a plain tree; undefined where there is none. */
export function textAt(tree: unknown, at: Path): string | undefined {
  const value = valueAt(tree, at);
  return typeof value === 'string' ? value : undefined;
}

const listAt = (tree: unknown, at: Path): readonly unknown[] => {
  const value = valueAt(tree, at);
  return Array.isArray(value) ? value : [];
};

const textsAt = (tree: unknown, at: Path): readonly { value: string; index: number }[] =>
  listAt(tree, at).flatMap((value, index) =>
    typeof value === 'string' && value !== '' ? [{ value, index }] : [],
  );

function readItems<Schema extends z.ZodType<object>>(
  document: Source,
  at: Path,
  schema: Schema,
  faults: ConfigFault[],
  names: Named[],
): (z.output<Schema> & { origin: Origin })[] {
  return listAt(document.tree, at).flatMap((item, i) => {
    const origin: Origin = { document, path: [...at, i] };
    const name = textAt(item, ['name']);
    if (name !== undefined) names.push({ name, item, origin });
    const result = schema.safeParse(item, { reportInput: true });
    if (result.success) return [{ ...result.data, origin }];
    faults.push(...faultsOf(result.error, origin));
    return [];
  });
}

/** Reads another file of the configuration. An unreadable file is a fault at the place that names it. */
function readNamed(
  file: string,
  label: string,
  env: Environment | null,
  namedAt: Origin,
  faults: ConfigFault[],
): Source | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    faults.push(
      faultAt(namedAt, [], `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`),
    );
    return undefined;
  }
  const source = readSource(text, label, env);
  faults.push(...source.faults);
  return source;
}

/** Reads all definitions: from the main file, from `workflow.include` and from `artifact.rule_packages`. */
export function readDefinitions(main: Source, scope: Scope): Definitions {
  const faults: ConfigFault[] = [];
  const named: Record<'triggers' | 'adapters' | 'rules', Named[]> = { triggers: [], adapters: [], rules: [] };
  const triggers = readItems(main, ['workflow', 'triggers'], trigger(scope), faults, named.triggers);
  const adapters = readItems(main, ['workflow', 'adapters'], adapter(scope), faults, named.adapters);
  const validators = readItems(main, ['metadata', 'validators'], validator(scope), faults, []);
  const rules: PackagedRule[] = [];

  const check = (document: Source, schema: z.ZodType): void => {
    const result = schema.safeParse(document.tree ?? {}, { reportInput: true });
    if (!result.success && document.tree !== undefined)
      faults.push(...faultsOf(result.error, { document, path: [] }));
  };

  for (const { value, index } of textsAt(main.tree, ['workflow', 'include'])) {
    const file = path.resolve(scope.directory, value);
    const document = readNamed(
      file,
      value,
      scope.env,
      { document: main, path: ['workflow', 'include', index] },
      faults,
    );
    if (document === undefined) continue;
    const inner: Scope = { env: scope.env, directory: path.dirname(file) };
    check(document, included());
    triggers.push(...readItems(document, ['triggers'], trigger(inner), faults, named.triggers));
    adapters.push(...readItems(document, ['adapters'], adapter(inner), faults, named.adapters));
  }

  for (const { value, index } of textsAt(main.tree, ['artifact', 'rule_packages'])) {
    const file = path.resolve(scope.directory, value);
    const document = readNamed(
      file,
      value,
      null,
      { document: main, path: ['artifact', 'rule_packages', index] },
      faults,
    );
    if (document === undefined) continue;
    check(document, rulePackage());
    const packageName = String(valueAt(document.tree, ['name']));
    const inner: Scope = { env: scope.env, directory: path.dirname(file) };
    for (const found of readItems(document, ['rules'], rule(inner), faults, named.rules))
      rules.push({ ...found, package: packageName });
  }

  return { triggers, adapters, validators, rules, named, faults };
}
