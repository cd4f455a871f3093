// Evaluates a trigger over past observations without executing anything.
import { CelError } from '../../../platform/cel/cel-error.ts';
import { BOUND_ENTITY, type BoundEntity } from '../../../platform/cel/bindings.ts';
import { compileTurn } from '../../../platform/cel/compile-turn.ts';
import { badRequest, DomainError, invalid } from '../../../platform/errors.ts';
import { exactTimeText } from '../../../platform/instant.ts';
import { parseJson } from '../../../platform/json.ts';
import { NO_JSON_LIMITS } from '../../../platform/json-shape.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { inTurns } from '../../../platform/turns.ts';
import type { Execute } from '../deps.ts';
import { faultOfCron, ticksBetween } from '../trigger-model/cron.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { judgeDelivery, judgeEntity, type Judgement, tellsAvailability } from '../observation-log/judge.ts';
import { listDeliveries } from '../observation-log/observations.store.ts';
import { lookbackOf, type PollTrigger } from '../polls/poll-trigger.ts';
import { staleAfter, staleSubject } from '../polls/stale-results.ts';

export interface Trial extends Judgement {
  readonly subject: unknown;
}
export interface Evaluation {
  readonly condition: string | null;
  readonly wouldFire: number;
  readonly trials: readonly Trial[];
  /** Whether the window contains more than was evaluated. */
  readonly isCut: boolean;
}

export interface Window {
  readonly since: string | null;
  readonly asOf: string | null;
  readonly limit: number;
}

export interface EvaluateDeps {
  readonly db: Queryable;
  /** The platform, as the caller sees it; null if this component runs without one. */
  readonly execute: Execute | null;
  readonly asksMetadataAlone: boolean;
}

type Of<Type extends ConfiguredTrigger['type']> = Extract<ConfiguredTrigger, { type: Type }>;

/** @throws DomainError `validation_failed` with the error of the condition */
function compiled<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof CelError) throw invalid(`condition: ${error.message}`, { field: 'condition' });
    throw error;
  }
}

const evaluation = (condition: string | undefined, trials: readonly Trial[], isCut: boolean): Evaluation => ({
  isCut,
  condition: condition ?? null,
  wouldFire: trials.filter((trial) => trial.verdict === 'fired').length,
  trials,
});

async function webhook(
  trigger: Of<'webhook'>,
  condition: string | undefined,
  { since, asOf, limit }: Window,
  { db }: EvaluateDeps,
): Promise<Evaluation> {
  await compileTurn(condition);
  const judge = compiled(() => judgeDelivery(condition));
  const deliveries = await listDeliveries(db, trigger.name, since, asOf, limit + 1);
  return evaluation(
    condition,
    await inTurns(deliveries.slice(0, limit), ({ id, body, receivedAt }) => ({
      subject: { delivery_id: id, received_at: receivedAt },
      ...judge(parseJson(body, undefined, { limits: NO_JSON_LIMITS })),
    })),
    deliveries.length > limit,
  );
}

/** @throws DomainError `component_unavailable` */
function platform({ execute }: EvaluateDeps): Execute {
  if (execute) return execute;
  throw new DomainError(
    'component_unavailable',
    'the metadata component cannot be reached: components.metadata.url is not configured',
  );
}

const CHANGED = `query ChangedBy($type: String!, $filter: String!, $limit: Int!, $asOf: DateTime, $unavailable: Boolean!) {
  entities(entityType: $type, filter: $filter, orderBy: "updated_at", limit: $limit, asOf: $asOf, includeUnavailable: $unavailable) {
    items { ${BOUND_ENTITY} }
    nextCursor
  }
}`;

const beginningOf = (trigger: PollTrigger, { since, asOf }: Pick<Window, 'since' | 'asOf'>): string =>
  since ??
  new Date((asOf === null ? Date.now() : Date.parse(asOf)) - lookbackOf(trigger) * 1000).toISOString();

async function poll(
  trigger: Of<'metadata_poll'>,
  condition: string | undefined,
  { since, asOf, limit }: Window,
  deps: EvaluateDeps,
): Promise<Evaluation> {
  await compileTurn(condition);
  const judge = compiled(() => judgeEntity(condition));
  const from = beginningOf(trigger, { since, asOf });
  const answer = await platform(deps)(CHANGED, {
    type: trigger.poll.entityType,
    filter: `updated_at > timestamp("${from}")`,
    limit,
    asOf,
    unavailable: tellsAvailability(condition),
  });
  const { items, nextCursor } = answer['entities'] as {
    readonly items: readonly BoundEntity[];
    readonly nextCursor: string | null;
  }; // The document selects it.
  return evaluation(
    condition,
    await inTurns(items, (entity) => ({
      subject: { entity: { id: entity.id, version: entity.version, updated_at: entity.updated_at } },
      ...judge(entity),
    })),
    nextCursor !== null,
  );
}

/** What is stale and has become so in the window: what is fresh again since is not there any more. */
async function stale(
  trigger: Of<'event'>,
  condition: string | undefined,
  { since, asOf, limit }: Window,
  deps: EvaluateDeps,
): Promise<Evaluation> {
  await compileTurn(condition);
  const judge = compiled(() => judgeEntity(condition));
  const isForAll = compiled(() => tellsAvailability(condition));
  const from = beginningOf(trigger, { since, asOf });
  if (deps.asksMetadataAlone)
    throw new DomainError(
      'component_unavailable',
      'a workflow component that is a process of its own cannot ask for stale results: look at the list of them',
    );
  const page = { since: from, cursor: null, limit };
  const { items, nextCursor } = await staleAfter(trigger, platform(deps), page);
  const within = items.filter((item) => asOf === null || Date.parse(item.since) <= Date.parse(asOf));
  const trials = await inTurns(within, (item): Trial[] =>
    item.entity === null || !(item.entity.is_available || isForAll)
      ? []
      : [{ subject: staleSubject(trigger, item.entity, item), ...judge(item.entity) }],
  );
  return evaluation(condition, trials.flat(), nextCursor !== null && within.length === items.length);
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
  let isCut = false;
  for (const tick of ticksBetween(expression, timezone, after, until)) {
    isCut = trials.length >= limit;
    if (isCut) break;
    trials.push({ subject: { tick: exactTimeText(tick) }, verdict: 'fired', seen: {} });
  }
  return evaluation(expression, trials, isCut);
}

/**
 * @throws DomainError `invalid_request` for a trigger without a condition, `validation_failed` for an invalid
 * condition
 */
export async function evaluate(
  trigger: ConfiguredTrigger,
  edited: string | null,
  window: Window,
  deps: EvaluateDeps,
): Promise<Evaluation> {
  switch (trigger.type) {
    case 'webhook':
      return webhook(trigger, edited ?? trigger.when, window, deps);
    case 'metadata_poll':
      return poll(trigger, edited ?? trigger.poll.filter, window, deps);
    case 'schedule':
      return schedule(trigger, edited ?? trigger.schedule, window);
    case 'event':
      return stale(trigger, edited ?? trigger.filter, window, deps);
    case 'manual':
    case 'internal_event':
      throw badRequest(`a trigger of type ${trigger.type} has no condition to evaluate`);
    default:
      return trigger satisfies never;
  }
}
