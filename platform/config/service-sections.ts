// Defines the sections of the service itself: server, components, database, limits, observability, CORS,
// GraphQL.
import { isIP } from 'node:net';
import { z } from 'zod';
import { DEFAULT_OPERATION_LIMITS } from '../budget/limits.ts';
import { readHost } from '../allowed-hosts.ts';
import { limits } from './limits-section.ts';
import { section } from './section.ts';
import {
  backupPlace,
  baseUrl,
  cidr,
  count,
  filePath,
  type Scope,
  secretEnv,
  seconds,
  size,
  url,
  urlPath,
} from './values.ts';
import { isOneOf } from '../is-one-of.ts';

/** The platform's own components; each runs in this process unless it has a `url`. */
export const OWN_COMPONENTS = ['metadata', 'workflow', 'artifact'] as const;
export type OwnComponent = (typeof OWN_COMPONENTS)[number];
const isOwn = (name: string): name is OwnComponent => isOneOf(OWN_COMPONENTS, name);

const LOOPBACK_NETWORKS: readonly string[] = ['127.0.0.0/8', '::1/128'];

export const server = (scope: Scope) =>
  section({
    host: z
      .string()
      .regex(
        /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+)$/,
        'must be a host name or an IP address',
      )
      .default('127.0.0.1'),
    port: count(0, 65_535).default(8080),
    public_url: baseUrl().optional(),
    tls: section({ certificate: filePath(scope), key: filePath(scope) }).optional(),
    workers: count(1, 256).default(1),
    lame_duck_seconds: seconds(0).default(0),
    mode: z.enum(['development', 'production']).default('development'),
    body_limit: size().prefault('1 MiB'),
    docs: z.boolean().optional(),
    allowed_hosts: z
      .array(
        z
          .string()
          .refine(
            (host) => readHost(host) !== undefined || isIP(host) === 6,
            'must be a host name or address, optionally with a port, such as cairn.example.org or [::1]:8080',
          ),
      )
      .min(1)
      .optional(),
    limits: limits().prefault({}),
  });

export const component = (name: string) =>
  section({
    url: baseUrl().optional(),
    health_path: urlPath().default('/health'),
    kind: z.enum(['graphql', 'rest']).default(isOwn(name) ? 'graphql' : 'rest'),
    timeout_ms: count(1, 3_600_000).default(30_000),
    latency_objective_ms: count(1, 3_600_000).default(500),
    health_timeout_ms: count(1, 600_000).default(2000),
    health_interval_seconds: seconds().optional(),
  });

export type ComponentConfig = z.output<ReturnType<typeof component>>;
export type Components = Readonly<Record<OwnComponent, ComponentConfig>> &
  Readonly<Record<string, ComponentConfig>>;

const RESERVED = ['gateway', 'docs', 'openapi.json'];

/** A record whose values' defaults depend on their names: docs/reference/gateway.md#components-keys. */
export const components = () =>
  z.record(z.string(), z.unknown()).transform((entries, context): Components => {
    const read = (name: string, value: unknown): ComponentConfig => {
      const result = component(name).safeParse(value, { reportInput: true });
      if (!result.success) {
        for (const issue of result.error.issues)
          context.issues.push({
            ...issue,
            path: [name, ...issue.path],
            input: issue.input,
          } as z.core.$ZodRawIssue); // a found issue is a raw issue with its final message
        return z.NEVER;
      }
      const fault = (key: string, message: string): void => {
        context.addIssue({ code: 'custom', path: [name, key], message });
      };
      const { url: address, kind } = result.data;
      if (!isOwn(name) && kind === 'graphql')
        fault(
          'kind',
          `only ${OWN_COMPONENTS.join(', ')} can be of kind graphql; use kind rest for other services`,
        );
      else if (kind === 'rest' && address === undefined)
        fault('url', 'is required for a component of kind rest');
      return result.data;
    };
    for (const name of Object.keys(entries)) {
      if (!/^[a-z][a-z0-9-]{0,62}$/.test(name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message:
            "a component's name must consist of lower case letters, digits and dashes, and begin with a letter",
        });
      else if (RESERVED.includes(name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `"${name}" is reserved for the gateway`,
        });
    }
    const all: Record<string, unknown> = {
      ...Object.fromEntries(OWN_COMPONENTS.map((name) => [name, undefined])),
      ...entries,
    };
    return Object.fromEntries(
      Object.entries(all).map(([name, value]) => [name, read(name, value ?? {})]),
    ) as Components; // the three own names are always present
  });

/** Of the write-ahead log of the embedded database. */
const archive = (scope: Scope) =>
  section({
    to: backupPlace(scope),
    passphrase_env: secretEnv(scope).optional(),
    recipients: z
      .array(z.string().regex(/^age1[0-9a-z]+$/, 'must be a recipient of age (age1…)'))
      .default([]),
    every_seconds: seconds().default(60),
    base_hours: count(1, 8760).default(24),
    keep_days: count(1, 36_500).default(14),
  });

export const database = (scope: Scope) =>
  section({
    url: url('postgres', 'postgresql').optional(),
    read_urls: z.array(url('postgres', 'postgresql')).default([]),
    read_max_lag_ms: count(0, 60_000).default(0),
    data_dir: filePath(scope).prefault('./data'),
    binaries: filePath(scope).optional(),
    disk_reserve: size(0).prefault('128 MiB'),
    wait_seconds: seconds(0).default(60),
    archive: archive(scope).optional(),
  });

export const trustedNetworks = () => z.array(cidr()).default([...LOOPBACK_NETWORKS]);

export const rateLimit = () =>
  section({
    enabled: z.boolean().optional(),
    per_actor_rps: count(1, 1_000_000).default(50),
    per_ip_rps: count(1, 1_000_000).default(10),
    burst: count(1, 1_000_000).optional(),
    redis_url: url('redis', 'rediss').optional(),
  });

export const observability = (scope: Scope) =>
  section({
    audit_log: section({
      enabled: z.boolean().default(true),
      backend: z.enum(['file', 'postgres', 'stdout']).default('file'),
      path: filePath(scope).optional(),
      max_bytes: size().prefault('100 MiB'),
      max_files: count(1, 10_000).default(10),
      retention_days: count(30, 36_500).optional(),
    }).prefault({}),
    metrics: section({
      enabled: z.boolean().default(true),
      path: urlPath().default('/api/v1/gateway/metrics'),
      access: z.enum(['trusted', 'open', 'admin']).default('trusted'),
      history: section({
        enabled: z.boolean().default(true),
        every_seconds: count(1, 3600).default(30),
        days: count(1, 400).default(14),
        samples: count(1000, 100_000_000).default(500_000),
      }).prefault({}),
    }).prefault({}),
    health: section({
      path: urlPath().default('/api/v1/gateway/health'),
      cache_seconds: seconds(0).default(5),
    }).prefault({}),
    tracing: section({
      otlp_url: url('http', 'https').optional(),
      sample_ratio: z.number().min(0).max(1).default(1),
    }).prefault({}),
    log_level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  });

const token = () =>
  z.string().regex(/^(?:\*|[A-Za-z0-9!#$%&'*+.^_`|~-]+)$/, 'must be a header or method name, or *');

export const cors = () =>
  section({
    allowed_origins: z
      .array(
        z
          .string()
          .refine(
            (origin) => origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin),
            'must be an origin such as https://app.example.org (scheme, host and port, nothing after them), or *',
          ),
      )
      .default([]),
    allowed_methods: z.array(token()).default(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    allowed_headers: z
      .array(token())
      .default([
        'Authorization',
        'Content-Type',
        'X-Api-Key',
        'X-Project',
        'X-As-Of',
        'X-Metadata-Actor',
        'X-Metadata-Context',
        'If-Match',
        'If-None-Match',
        'Prefer',
        'Tus-Resumable',
        'Upload-Length',
        'Upload-Defer-Length',
        'Upload-Offset',
        'Upload-Metadata',
        'Upload-Checksum',
        'traceparent',
      ]),
    allow_credentials: z.boolean().default(false),
    max_age: seconds(0).default(600),
  });

const { cost, objects, bytes, timeMs } = DEFAULT_OPERATION_LIMITS;

export const graphql = () =>
  section({
    introspection: z.boolean().optional(),
    explorer: z.boolean().optional(),
    limits: section({
      cost: count(1, Number.MAX_SAFE_INTEGER).default(cost),
      objects: count(1, 10_000_000).default(objects),
      bytes: size().prefault(bytes),
      time_ms: count(1, 3_600_000).default(timeMs),
    }).prefault({}),
  });
