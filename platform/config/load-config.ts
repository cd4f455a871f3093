// Loads the configuration file and the environment variables into one typed Config, or throws the list of all
// faults.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import type { Adapter } from './adapter-definition.ts';
import { auth } from './auth-section.ts';
import { artifact, metadata, type ConfiguredValidator, workflow } from './component-sections.ts';
import { crossChecks } from './cross-checks.ts';
import { type Definitions, readDefinitions } from './definitions.ts';
import { CONFIG_FILE, type Environment, overridesFrom } from './environment.ts';
import { type ConfigFault, ConfigurationError, type Origin } from './faults.ts';
import { faultsOf } from './issues.ts';
import type { PackagedRule } from './rule-definition.ts';
import type { Secret } from './secret.ts';
import { section } from './section.ts';
import {
  components,
  cors,
  database,
  graphql,
  observability,
  rateLimit,
  server,
  trustedNetworks,
} from './service-sections.ts';
import { shownData } from './readable-path.ts';
import { type Setting, settingsOf } from './settings.ts';
import { readSource, type Source } from './source.ts';
import type { TriggerConfig } from './trigger-definition.ts';
import type { Scope } from './values.ts';
import { variablesOf } from './variable-files.ts';

/** The schema of the file's keys. The items of lists of definitions have separate schemas. */
export const root = (scope: Scope) =>
  section({
    server: server(scope).prefault({}),
    components: components().prefault({}),
    database: database(scope).prefault({}),
    trusted_networks: trustedNetworks(),
    auth: auth(scope).prefault({}),
    rate_limit: rateLimit().prefault({}),
    observability: observability(scope).prefault({}),
    cors: cors().prefault({}),
    metadata: metadata().prefault({}),
    workflow: workflow(scope).prefault({}),
    artifact: artifact(scope).prefault({}),
    graphql: graphql().prefault({}),
  });

/**
 * The input of a component's own checks: the valid definitions, and the named definitions as written, valid
 * or not.
 */
export interface ConfigParts {
  readonly named: Pick<Definitions['named'], 'triggers' | 'adapters'>;
  readonly triggers: readonly TriggerConfig[];
  readonly adapters: readonly Adapter[];
  readonly validators: readonly ConfiguredValidator[];
  readonly rules: readonly PackagedRule[];
}

/**
 * A check that a component adds (cron, CEL). Locate a fault with `faultAt(trigger.origin, ['schedule'], …)`.
 */
export type ConfigCheck = (parts: ConfigParts) => readonly ConfigFault[];

export interface LoadOptions {
  readonly env: Environment;
  /** The base of `CAIRN_CONFIG` and of relative paths in environment variables. */
  readonly cwd: string;
  readonly checks?: readonly ConfigCheck[];
}

/** The documentation of the API is shown in development by default. */
const withDocs = <Server extends { readonly mode: string; readonly docs?: boolean | undefined }>(
  own: Server,
) => ({
  ...own,
  docs: own.docs ?? own.mode === 'development',
});

/** Applies defaults that depend on another key. */
function settle(file: string, read: z.output<ReturnType<typeof root>>, definitions: Definitions) {
  const development = read.server.mode === 'development';
  const { dataDir } = read.database;
  const { store, runner } = read.artifact;
  return {
    ...read,
    /** Absolute path of the configuration file. */
    file,
    server: withDocs(read.server),
    rateLimit: { ...read.rateLimit, enabled: read.rateLimit.enabled ?? !development },
    observability: {
      ...read.observability,
      auditLog: {
        ...read.observability.auditLog,
        path: read.observability.auditLog.path ?? path.join(dataDir, 'audit.jsonl'),
      },
    },
    graphql: {
      ...read.graphql,
      introspection: read.graphql.introspection ?? development,
      explorer: read.graphql.explorer ?? development,
    },
    metadata: { ...read.metadata, validators: definitions.validators },
    workflow: { ...read.workflow, triggers: definitions.triggers, adapters: definitions.adapters },
    artifact: {
      ...read.artifact,
      store:
        store.type === 'file' ? { ...store, path: store.path ?? path.join(dataDir, 'artifacts') } : store,
      runner:
        runner.type === 'cwltool'
          ? {
              ...runner,
              sandbox: runner.sandbox ?? (development ? ('preferred' as const) : ('required' as const)),
            }
          : runner,
      rules: definitions.rules,
    },
  };
}

type DeepReadonly<T> = T extends Secret | Origin
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
      : T;

/**
 * The whole configuration: validated, with defaults applied, durations in the unit that the name states,
 * sizes in bytes, and absolute paths.
 */
export type Config = DeepReadonly<ReturnType<typeof settle>> & {
  /** The same, to be shown. */
  readonly settings: readonly Setting[];
};

/**
 * Overrides values of the file by values of the environment. Where the file's structure cannot take a value,
 * it is left unchanged, and validation reports the fault.
 */
function override(source: Source, options: LoadOptions): { source: Source; variableOf: Map<string, string> } {
  const variableOf = new Map<string, string>();
  const tree: unknown = source.tree ?? {};
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return { source, variableOf };
  const changed: Record<string, unknown> = { ...tree };
  for (const {
    variable,
    key: [part, key],
    value,
  } of overridesFrom(options.env, options.cwd)) {
    const held = changed[part] ?? {};
    if (typeof held !== 'object' || Array.isArray(held)) continue;
    changed[part] = { ...held, [key]: value };
    variableOf.set(`${part}.${key}`, variable);
  }
  return { source: { ...source, tree: changed }, variableOf };
}

/** Returns faults for data of this machine that would be visible to tools. */
function shownToTools(
  document: Source,
  { artifact: { runner }, database: { dataDir } }: z.output<ReturnType<typeof root>>,
): readonly ConfigFault[] {
  if (runner.type !== 'cwltool') return [];
  return shownData(
    dataDir,
    { document, path: ['artifact', 'runner'] },
    { readable_paths: runner.readablePaths, tool_paths: runner.toolPaths },
  );
}

/** Sorts faults: the environment's first, then those of each file from top to bottom. */
const byPlace = (a: ConfigFault, b: ConfigFault): number =>
  (a.file ?? '').localeCompare(b.file ?? '') ||
  (a.line ?? 0) - (b.line ?? 0) ||
  (a.column ?? 0) - (b.column ?? 0);

/**
 * Parses a configuration from text. `file` is its path: relative paths in the text start from its directory.
 * @throws ConfigurationError with all faults
 */
export function parseConfig(text: string, file: string, given: LoadOptions): Config {
  const { env, faults: unreadable } = variablesOf(given.env, given.cwd);
  const options = { ...given, env };
  const relative = path.relative(options.cwd, file);
  const written = readSource(text, relative.startsWith('..') ? file : relative, options.env);
  if (written.tree === undefined && written.faults.length > 0) throw new ConfigurationError(written.faults);

  const { source, variableOf } = override(written, options);
  const scope: Scope = { env: options.env, directory: path.dirname(file) };
  const result = root(scope).safeParse(source.tree, { reportInput: true });
  const definitions = readDefinitions(source, scope);
  const found = [
    ...(result.success ? [] : faultsOf(result.error, { document: source, path: [] })),
    ...definitions.faults,
    ...crossChecks(source, definitions, options.env),
    ...(result.success ? shownToTools(source, result.data) : []),
    ...(options.checks ?? []).flatMap((check) => check(definitions)),
  ];

  // A missing variable is reported once, not again as an invalid value. A fault of a value that came from the
  // environment is reported under the variable's name.
  const missing = new Set(written.faults.map((fault) => fault.path).filter((at) => !variableOf.has(at)));
  const faults: ConfigFault[] = [
    ...unreadable,
    ...written.faults.filter((fault) => missing.has(fault.path)),
    ...found
      .filter((fault) => !missing.has(fault.path))
      .map((fault) => {
        const variable = variableOf.get(fault.path);
        return variable === undefined
          ? fault
          : { path: variable, message: `${fault.message} (it replaces ${fault.path})` };
      }),
  ];
  if (faults.length > 0 || !result.success) throw new ConfigurationError(faults.sort(byPlace));
  const config = settle(file, result.data, definitions);
  const { file: _, ...keys } = config;
  return { ...config, settings: settingsOf(keys, { source, variableOf }) };
}

/**
 * Where the server listens and with which certificate, of a configuration that may be faulty in all else: secrets are in
 * the server's environment, which is not that of every command. Undefined where this part is faulty, or there is no file.
 */
export function readServerPart(given: LoadOptions): Pick<Config, 'server'> | undefined {
  const file = configFile(given);
  if (!existsSync(file)) return undefined;
  const options = { ...given, env: variablesOf(given.env, given.cwd).env };
  const { tree } = override(readSource(readFileSync(file, 'utf8'), file, options.env), options).source;
  const part = typeof tree === 'object' && tree !== null && 'server' in tree ? tree.server : undefined;
  const { data } = server({ env: options.env, directory: path.dirname(file) })
    .prefault({})
    .safeParse(part);
  return data && { server: withDocs(data) };
}

/** The file that `CAIRN_CONFIG` names, else `gateway.yaml` in the working directory. */
export const configFile = ({ env, cwd }: LoadOptions): string =>
  path.resolve(cwd, env[CONFIG_FILE] || 'gateway.yaml');

/**
 * Loads the configuration (docs/reference/gateway.md#configuration).
 * @throws ConfigurationError with all faults
 */
export function loadConfig(options: LoadOptions): Config {
  const file = configFile(options);
  if (!existsSync(file)) {
    throw new ConfigurationError([
      {
        path: '',
        message: `the configuration file ${file} does not exist; set ${CONFIG_FILE} to the path of a configuration file`,
      },
    ]);
  }
  return parseConfig(readFileSync(file, 'utf8'), file, options);
}
