// What a trigger would have made of what has been, without doing anything.
import { CelError } from '../../../platform/cel/cel-error.ts';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import { badRequest, DomainError, invalid } from '../../../platform/errors.ts';
import { parseJson } from '../../../platform/json.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { inTurns } from '../../../platform/turns.ts';
import type { Execute } from '../ports.ts';
import { faultOfCron, ticksBetween } from '../schedules/cron.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { judgeDelivery, judgeEntity, type Judgement, tellsAvailability } from './judge.ts';
import { listDeliveries } from './observations.store.ts';

export interface Trial extends Judgement {
  readonly subject: unknown;
}
export interface Evaluation {
  readonly condition: string | null;
  readonly wouldFire: number;
  readonly trials: readonly Trial[];
}

export interface Window {
  readonly since: string | null;
  readonly asOf: string | null;
  readonly limit: number;
}

export interface EvaluatePorts {
  readonly db: Queryable;
  /** The platform, as the caller sees it; null where this component runs without one. */
  readonly execute: Execute | null;
}

type Of<Type extends ConfiguredTrigger['type']> = Extract<ConfiguredTrigger, { type: Type }>;

/** @throws DomainError `validation_failed` naming what is wrong with the condition */
function compiled<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof CelError) throw invalid(`condition: ${error.message}`, { field: 'condition' });
    throw error;
  }
}

const evaluation = (condition: string | undefined, trials: readonly Trial[]): Evaluation => ({
  condition: condition ?? null,
  wouldFire: trials.filter((trial) => trial.verdict === 'fired').length,
  trials,
});

async function webhook(
  trigger: Of<'webhook'>,
  condition: string | undefined,
  { since, asOf, limit }: Window,
  { db }: EvaluatePorts,
): Promise<Evaluation> {
  const judge = compiled(() => judgeDelivery(condition));
  const deliveries = await listDeliveries(db, trigger.name, since, asOf, limit);
  return evaluation(
    condition,
    await inTurns(deliveries, ({ id, body, receivedAt }) => ({
      subject: { delivery_id: id, received_at: receivedAt },
      ...judge(parseJson(body)),
    })),
  );
}

const CHANGED = `query ChangedBy($type: String!, $filter: String!, $limit: Int!, $asOf: DateTime, $unavailable: Boolean!) {
  entities(entityType: $type, filter: $filter, orderBy: "updated_at", limit: $limit, asOf: $asOf, includeUnavailable: $unavailable) {
    items { id entity_type: entityType data version is_available: isAvailable project created_at: createdAt updated_at: updatedAt }
  }
}`;

async function poll(
  trigger: Of<'metadata_poll'>,
  condition: string | undefined,
  { since, asOf, limit }: Window,
  { execute }: EvaluatePorts,
): Promise<Evaluation> {
  const judge = compiled(() => judgeEntity(condition));
  if (!execute)
    throw new DomainError(
      'component_unavailable',
      'the metadata component cannot be reached: components.metadata.url is not configured',
    );
  const from =
    since ??
    new Date(
      (asOf === null ? Date.now() : Date.parse(asOf)) - trigger.poll.lookbackSeconds * 1000,
    ).toISOString();
  const answer = await execute(CHANGED, {
    type: trigger.poll.entityType,
    filter: `updated_at > timestamp("${from}")`,
    limit,
    asOf,
    unavailable: tellsAvailability(condition),
  });
  const { items } = answer['entities'] as { readonly items: readonly BoundEntity[] }; // as the document asks
  return evaluation(
    condition,
    await inTurns(items, (entity) => ({
      subject: { entity: { id: entity.id, version: entity.version, updated_at: entity.updated_at } },
      ...judge(entity),
    })),
  );
}

const DAY_MS = 86_400_000;

function schedule(
  { timezone }: Of<'schedule'>,
  expression: string,
  { since, asOf, limit }: Window,
): Evaluation {
  const fault = faultOfCron(expression, timezone);
  if (fault !== null) throw invalid(`condition ${fault}`, { field: 'condition' });
  const until = asOf === null ? new Date() : new Date(asOf);
  const after = since === null ? new Date(until.getTime() - DAY_MS) : new Date(since);
  const trials: Trial[] = [];
  for (const tick of ticksBetween(expression, timezone, after, until)) {
    if (trials.length >= limit) break;
    trials.push({ subject: { tick: tick.toISOString() }, verdict: 'fired', seen: {} });
  }
  return evaluation(expression, trials);
}

/** @throws DomainError `invalid_request` for a trigger without a condition, `validation_failed` for a condition that is none */
export async function evaluate(
  trigger: ConfiguredTrigger,
  edited: string | null,
  window: Window,
  ports: EvaluatePorts,
): Promise<Evaluation> {
  switch (trigger.type) {
    case 'webhook':
      return webhook(trigger, edited ?? trigger.when, window, ports);
    case 'metadata_poll':
      return poll(trigger, edited ?? trigger.poll.filter, window, ports);
    case 'schedule':
      return schedule(trigger, edited ?? trigger.schedule, window);
    case 'manual':
    case 'internal_event':
      throw badRequest(`a trigger of type ${trigger.type} has no condition to evaluate`);
    default:
      return trigger satisfies never;
  }
}
