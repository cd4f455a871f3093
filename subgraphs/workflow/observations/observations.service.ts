// Observations of triggers, dry runs, and redelivery, for one operation's caller.
import type { Logger } from 'pino';
import { badRequest, notFound } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { checkPage, decodeCursor, instantPart, pageOf, textPart } from '../../../platform/paging.ts';
import { hasNoNul, type Queryable } from '../../../platform/queryable.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { Execute } from '../deps.ts';
import type { Run } from '../run-records/run.ts';
import { assertMayInspect, mayInspect } from '../trigger-model/trigger-rights.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { redeliver, type WebhookAnswer } from '../webhooks/webhook.service.ts';
import { evaluate, type Evaluation, type Window } from './evaluate.ts';
import { type FailedDelivery, listFailedDeliveries } from './failed-deliveries.store.ts';
import type { Verdict } from '../observation-log/observation.ts';
import { findDelivery, listObservations, type Observation } from '../observation-log/observations.store.ts';

export interface ObservationDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly triggers: () => readonly ConfiguredTrigger[];
  /** The platform as a caller sees it; null if this component runs without one. */
  readonly executeAs: ((caller: Caller) => Execute) | null;
  readonly asksMetadataAlone: boolean;
  readonly log: Logger;
}

export interface ObservationPageArguments {
  readonly verdict: Verdict | null;
  readonly limit: number;
  readonly cursor: string | null;
}
export interface FailedDeliveryPage {
  readonly deliveries: readonly FailedDelivery[];
  readonly nextCursor: string | null;
}
export interface ObservationPage {
  readonly observations: readonly Observation[];
  readonly nextCursor: string | null;
}

function instantOf(name: string, sent: string | null): string | null {
  const read = sent === null ? null : canonicalInstant(sent);
  if (sent !== null && read === null)
    throw badRequest(
      `${name} must be a point in time with an offset, for example 2026-01-31T09:30:00.123456Z`,
    );
  return read;
}

export class ObservationService {
  readonly #deps: ObservationDeps;
  readonly #caller: Caller;

  constructor(deps: ObservationDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /**
   * A page of a trigger's observations, newest first, without those about other projects' entities, and
   * without deliveries that the caller may not see.
   * @throws DomainError `invalid_request`
   */
  async page(
    trigger: string,
    { verdict, limit, cursor }: ObservationPageArguments,
  ): Promise<ObservationPage> {
    checkPage({ limit, offset: 0 });
    const position = decodeCursor(cursor, [textPart])?.[0];
    if (position !== undefined && !/^\d{1,18}$/.test(String(position)))
      throw badRequest('cursor does not come from this list');
    const rows = await listObservations(this.#deps.db, this.#caller.projects, trigger, {
      verdict,
      limit: limit + 1,
      before: position === undefined ? null : String(position),
      withDeliveries: this.#mayInspect(trigger),
    });
    const { items, nextCursor } = pageOf(rows, limit, (row) => [row.id]);
    return { observations: items, nextCursor };
  }

  /**
   * @throws DomainError `not_found`, `insufficient_role` if the caller may not see the deliveries, and the
   * errors of {@link evaluate}
   */
  async evaluate(name: string, condition: string | null, window: Window): Promise<Evaluation> {
    checkPage({ limit: window.limit, offset: 0 });
    const { db, executeAs, asksMetadataAlone } = this.#deps;
    const bounds = {
      since: instantOf('since', window.since),
      asOf: instantOf('asOf', window.asOf),
      limit: window.limit,
    };
    const trigger = this.#trigger(name);
    if (trigger.type === 'webhook') assertMayInspect(trigger, this.#caller);
    return evaluate(trigger, condition, bounds, {
      db,
      execute: executeAs?.(this.#caller) ?? null,
      asksMetadataAlone,
    });
  }

  /**
   * Deliveries whose latest run has failed, of one trigger or of all whose deliveries the caller may see, the
   * latest first.
   * @throws DomainError `not_found`, `insufficient_role`, `invalid_request`
   */
  async failed(
    name: string | null,
    { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
  ): Promise<FailedDeliveryPage> {
    checkPage({ limit, offset: 0 });
    if (name !== null) assertMayInspect(this.#trigger(name), this.#caller);
    const triggers =
      name === null
        ? this.#deps
            .triggers()
            .filter((one) => mayInspect(one, this.#caller))
            .map((one) => one.name)
        : [name];
    const rows = await listFailedDeliveries(this.#deps.db, {
      triggers,
      limit: limit + 1,
      after: decodeCursor(cursor, [instantPart, textPart]),
    });
    const { items, nextCursor } = pageOf(rows, limit, (row) => [row.queuedAt, row.runId]);
    return { deliveries: items, nextCursor };
  }

  /**
   * @throws DomainError `not_found` for a delivery that is not stored, or whose trigger is no longer a
   * configured webhook, `insufficient_role`
   */
  async redeliver(deliveryId: string): Promise<WebhookAnswer> {
    const delivery = hasNoNul(deliveryId) ? await findDelivery(this.#deps.db, deliveryId) : null;
    if (!delivery) throw notFound('delivery', deliveryId);
    const trigger = this.#trigger(delivery.triggerName);
    if (trigger.type !== 'webhook') throw notFound('webhook', delivery.triggerName);
    assertMayInspect(trigger, this.#caller);
    return redeliver(trigger, delivery, this.#caller, this.#deps);
  }

  /**
   * The cause of a run. A delivery's digest would confirm a guessed body, so it is only shown to those who
   * may see the body.
   */
  causeOf({ cause, triggerName }: Pick<Run, 'cause' | 'triggerName'>): JsonValue {
    if (
      !isObject(cause) ||
      !isObject(cause['delivery']) ||
      (triggerName !== null && this.#mayInspect(triggerName))
    )
      return cause;
    const { digest: _, ...delivery } = cause['delivery'];
    return { ...cause, delivery };
  }

  #mayInspect(name: string): boolean {
    const trigger = this.#deps.triggers().find((one) => one.name === name);
    return trigger !== undefined && mayInspect(trigger, this.#caller);
  }

  #trigger(name: string): ConfiguredTrigger {
    const trigger = this.#deps.triggers().find((one) => one.name === name);
    if (!trigger) throw notFound('trigger', name);
    return trigger;
  }
}

/** The slice of the resolvers' context. */
export interface ObservationSlice {
  readonly observations: ObservationService;
}
