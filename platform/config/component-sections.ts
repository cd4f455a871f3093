// Defines the configuration sections of single components: metadata, workflow, artifact
// (docs/reference/workflow.md#configuration-keys, docs/reference/artifact.md#configuration-keys).
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Origin } from './faults.ts';
import { readablePath } from './readable-path.ts';
import { section } from './section.ts';
import {
  baseUrl,
  cidr,
  count,
  expression,
  filePath,
  name,
  type Scope,
  seconds,
  secretEnv,
  size,
  nonEmptyText,
  url,
} from './values.ts';

/**
 * A write validator for one type or for all, in the order of the file: CEL over `data` and `previous`, or a
 * module of the deployment.
 */
export const validator = (scope: Scope) => {
  const common = {
    entity_type: nonEmptyText().optional(),
    on: z
      .array(z.enum(['create', 'update', 'delete']))
      .min(1)
      .default(['create', 'update']),
  };
  const typed = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || 'type' in value
      ? value
      : { type: 'module' in value ? 'module' : 'cel', ...value };
  return z.preprocess(
    typed,
    z.discriminatedUnion('type', [
      section({
        ...common,
        type: z.literal('cel'),
        rule_id: nonEmptyText(),
        expression: expression(),
        message: nonEmptyText(),
      }),
      section({
        ...common,
        type: z.literal('module'),
        module: filePath(scope),
        options: z.record(z.string(), z.unknown()).default({}),
      }),
    ]),
  );
};
export type ConfiguredValidator = z.output<ReturnType<typeof validator>> & { readonly origin: Origin };

// Definitions are read one by one, so that a fault in one does not hide faults in others.
const definitions = () => z.array(z.unknown()).default([]);

export const metadata = () =>
  section({
    expand_limit: count(1, 1000).default(200),
    clock_ahead_seconds: count(1, 1e10).default(60),
    validators: definitions(),
  });

const days = (value: number) => count(1, 36_500).default(value);

export const workflow = (scope: Scope) =>
  section({
    triggers: definitions(),
    adapters: definitions(),
    resolution: section({ artifact_timeout_seconds: seconds().default(60) }).prefault({}),
    router: section({
      url: baseUrl(),
      client_id: name().default('workflow'),
      secret_env: secretEnv(scope),
      timeout_seconds: seconds().default(30),
    }).optional(),
    retention: section({
      runs_days: days(90),
      firings_days: days(90),
      observations_days: days(14),
      deliveries_days: days(14),
      past_days: days(90),
    }).prefault({}),
    include: z.array(filePath(scope)).default([]),
  });

/** The content of a file that `workflow.include` names. */
export const included = () => section({ triggers: definitions(), adapters: definitions() });

/** Tags of runs at a WES service, for its accounts. */
const accountTags = () =>
  z
    .record(
      nonEmptyText().refine(
        (name) => !['production', 'work'].includes(name),
        'is a tag by which Cairn finds its runs again',
      ),
      z
        .string()
        .refine(
          (value) => !/[{}]/.test(value.replaceAll(/\{(?:actor|rule|entity_type)\}/g, '')),
          'may only have the placeholders {actor}, {rule} and {entity_type}',
        ),
    )
    .default({});

const runner = (scope: Scope) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? { type: value } : value),
    z.discriminatedUnion('type', [
      section({
        type: z.literal('cwltool'),
        command: nonEmptyText().default('cwltool'),
        tool_paths: z.array(filePath(scope)).default([]),
        readable_paths: z.array(readablePath(scope)).default([]),
        sandbox: z.enum(['required', 'preferred', 'off']).optional(),
        network: z.enum(['none', 'filtered']).default('filtered'),
        container_engine: z.enum(['none', 'docker', 'podman', 'singularity', 'udocker']).default('none'),
        default_image: nonEmptyText().optional(),
        container_network: z
          .string()
          .regex(
            /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/,
            'must be the name of a network of the container engine, or none',
          )
          .refine(
            (value) => value !== 'host',
            'must not be host: tools would have the same network access as the server',
          )
          .default('none'),
      }),
      section({
        type: z.literal('wes'),
        url: baseUrl(),
        token_env: secretEnv(scope).optional(),
        poll_seconds: seconds().default(5),
        wait_seconds: seconds().default(3600),
        engine: nonEmptyText().optional(),
        engine_parameters: z.record(nonEmptyText(), z.string()).default({}),
        tags: accountTags(),
      }),
    ]),
  );

const store = (scope: Scope) =>
  z.discriminatedUnion('type', [
    section({ type: z.literal('file'), path: filePath(scope).optional() }),
    section({
      type: z.literal('s3'),
      bucket: nonEmptyText(),
      prefix: z.string().default(''),
      region: nonEmptyText().default('us-east-1'),
      endpoint: url('http', 'https').optional(),
      path_style: z.boolean().default(false),
      downloads: z.enum(['stream', 'redirect']).default('stream'),
      link_seconds: count(1, 3600).default(60),
      link_endpoint: url('http', 'https').optional(),
      access_key_id_env: secretEnv(scope).optional(),
      secret_access_key_env: secretEnv(scope).optional(),
    }),
  ]);

/** An allowed prefix of file addresses: a URI, which is kept unchanged, or a directory. */
const source = (scope: Scope) =>
  nonEmptyText().transform((value, context) => {
    if (/^(?:file:\/\/\/|s3:\/\/[^/]+\/)/.test(value)) return value;
    if (!/^[a-z][a-z0-9+.-]*:/i.test(value))
      return `${pathToFileURL(path.resolve(scope.directory, value)).href.replace(/\/$/, '')}/`;
    context.addIssue({
      code: 'custom',
      message: 'must be a directory, or begin with file:/// or s3://<bucket>/',
    });
    return z.NEVER;
  });

export const artifact = (scope: Scope) =>
  section({
    rule_packages: z.array(filePath(scope)).default([]),
    runner: runner(scope).prefault('cwltool'),
    store: store(scope).prefault({ type: 'file' }),
    allow_networks: z.array(cidr()).default([]),
    deny_networks: z.array(cidr()).default([]),
    allow_sources: z.array(source(scope)).default([]),
    allowed_images: z.array(nonEmptyText()).optional(),
    crates: section({
      license: url('http', 'https').optional(),
      license_name: nonEmptyText().optional(),
      publisher: section({ name: nonEmptyText(), url: url('http', 'https') }).optional(),
    }).prefault({}),
    limits: section({
      cores: count(1, 100_000).default(4),
      ram: size().prefault('8 GiB'),
      disk: size().prefault('100 GiB'),
      files: count(1, 100_000_000).default(100_000),
      time_seconds: seconds().default(86_400),
      concurrent: count(1, 10_000).default(2),
    }).prefault({}),
    uploads: section({
      file_bytes: size().prefault('100 GiB'),
      bytes_per_actor: size().prefault('500 GiB'),
      unfinished_per_actor: count(1, 1_000_000).default(100),
      expiry_seconds: seconds().default(86_400),
      unattached_seconds: seconds().default(604_800),
    }).prefault({}),
    retention: section({ past_days: count(1, 36_500).optional() }).prefault({}),
  });
