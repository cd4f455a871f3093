// Defines a trigger in the configuration (docs/reference/workflow.md#trigger-definition).
import { z } from 'zod';
import type { Origin } from './faults.ts';
import { section } from './section.ts';
import { count, expression, name, type Scope, seconds, secretEnv, nonEmptyText } from './values.ts';

export const TRIGGER_TYPES = [
  'schedule',
  'manual',
  'internal_event',
  'webhook',
  'metadata_poll',
  'event',
] as const;
export type TriggerType = (typeof TRIGGER_TYPES)[number];

const bindings = () => z.record(z.string(), z.unknown()).default({});

const action = () =>
  z.discriminatedUnion('type', [
    section({ type: z.literal('ingest'), adapter: name(), incremental: z.boolean().default(false) }),
    section({
      type: z.literal('resolve'),
      entity_type: nonEmptyText(),
      criteria: bindings(),
      parameters: bindings(),
      reuse: z.enum(['any', 'fresh']).optional(),
    }),
  ]);

const emission = () => section({ emit: name() }).transform(({ emit }) => emit);

/** `on_success: name` and `on_success: {emit: name}` mean the same. */
const onSuccess = () =>
  z.preprocess((value) => (typeof value === 'string' ? { emit: value } : value), emission());

const timezone = () =>
  z
    .string()
    .refine((zone) => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
      } catch {
        return false; // Intl throws RangeError for an unknown zone
      }
    }, 'must be an IANA time zone such as Europe/Berlin')
    .default('UTC');

/** First path segments that the workflow component itself uses. */
const OWN_ROUTES = ['triggers', 'runs', 'deliveries', 'health', 'docs', 'openapi.json', 'graphql'];

const webhookPath = () =>
  z
    .string()
    .regex(
      /^\/?[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/,
      'must be a path of letters, digits, dots and dashes, such as /hooks/lab',
    )
    .transform((value) => (value.startsWith('/') ? value : `/${value}`))
    .refine(
      (value) => !OWN_ROUTES.includes(value.split('/')[1] ?? ''),
      `must not begin with a route of the workflow component (${OWN_ROUTES.join(', ')})`,
    );

/** Maximum number of attempts, and seconds before the second one, doubled for each further one. */
const retry = () =>
  section({
    attempts: count(1, 100).default(3),
    backoff: count(0, 86_400).default(5),
    on: z.enum(['interrupted', 'failed']).default('interrupted'),
  });

const secrets = (scope: Scope) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(secretEnv(scope)).min(1),
  );

const lookback = () => count(1, 3_153_600_000).default(3600);

const poll = () =>
  section({
    entity_type: nonEmptyText(),
    filter: expression().optional(),
    interval_seconds: seconds().default(60),
    lookback_seconds: lookback(),
  });

/** A discriminated union requires every trigger type to repeat the common keys. */
export function trigger(scope: Scope) {
  const common = {
    name: name(),
    project: nonEmptyText().optional(),
    retry: retry().optional(),
    action: action(),
    on_success: onSuccess().optional(),
    on_failure: emission().optional(),
  };
  return z.discriminatedUnion('type', [
    section({
      ...common,
      type: z.literal('schedule'),
      schedule: nonEmptyText(),
      timezone: timezone(),
      catch_up: z.enum(['skip', 'one', 'all']).default('one'),
    }),
    section({ ...common, type: z.literal('manual') }),
    section({ ...common, type: z.literal('internal_event'), event: name() }),
    section({
      ...common,
      type: z.literal('webhook'),
      path: webhookPath(),
      secret_env: secrets(scope),
      signature: z.enum(['hmac', 'standard']).default('hmac'),
      when: expression().optional(),
      idempotency_window_seconds: count(0, 31_536_000).default(300),
    }),
    section({ ...common, type: z.literal('metadata_poll'), poll: poll() }),
    section({
      ...common,
      type: z.literal('event'),
      event: z.literal('became_stale'),
      entity_type: nonEmptyText().optional(),
      rule: nonEmptyText().optional(),
      filter: expression().optional(),
      interval_seconds: seconds().default(60),
      lookback_seconds: lookback(),
    }),
  ]);
}

/** `secret` of a webhook is a list: a signature with any of them is valid. */
export type TriggerConfig = z.output<ReturnType<typeof trigger>> & { readonly origin: Origin };
export type TriggerOf<Type extends TriggerType> = Extract<TriggerConfig, { type: Type }>;
export type TriggerAction = TriggerConfig['action'];
