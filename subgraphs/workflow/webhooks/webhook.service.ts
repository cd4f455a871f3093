// Decides about one delivery of an external system: refuse, skip, deduplicate, or run
// (docs/reference/workflow.md#webhooks).
import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { causeOf, nodeKey } from '../../../platform/causal-links.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { parseJsonBody } from '../../../platform/json-in-turns.ts';
import { type JsonBounds, NO_JSON_LIMITS } from '../../../platform/json-shape.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Transact } from '../../../platform/database/transaction.ts';
import { type Judgement, judgeDelivery } from '../observation-log/judge.ts';
import type { NewObservation } from '../observation-log/observation.ts';
import {
  insertDelivery,
  insertObservations,
  type StoredDelivery,
} from '../observation-log/observations.store.ts';
import { actingBy, runOf } from '../run-records/new-run.ts';
import { insertRun, type NewRun } from '../run-records/run-queue.store.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { acceptDelivery } from './deliveries.store.ts';
import { hasHmacSignature, hasStandardSignature, type SignedRequest } from './verify-signature.ts';

export type WebhookTrigger = Extract<ConfiguredTrigger, { type: 'webhook' }>;

export interface Delivery extends Pick<SignedRequest, 'body' | 'header'> {
  readonly requestId: string;
  readonly ip: string;
  /** What its JSON may be; the defaults without. */
  readonly json?: JsonBounds;
}

export type WebhookAnswer =
  | { readonly run_id: string; readonly status: 'accepted' | 'duplicate' }
  | { readonly run_id: null; readonly status: 'skipped' };

export interface WebhookDeps {
  readonly db: Queryable;
  readonly transact: Transact;
  readonly log: Logger;
}

/** @throws DomainError `signature_invalid`, which is checked first; `invalid_request` for invalid JSON */
export async function receive(
  trigger: WebhookTrigger,
  delivery: Delivery,
  deps: WebhookDeps,
): Promise<WebhookAnswer> {
  const { name } = trigger;
  const { requestId, ip, body } = delivery;
  const { db, log } = deps;
  if (!isSigned(trigger, delivery)) {
    log.warn(
      { event: 'security', reason: 'webhook_signature', trigger: name, ip, requestId },
      'a webhook request has a missing or wrong signature',
    );
    const minute = new Date().toISOString().slice(0, 16);
    await putDown(
      {
        triggerName: name,
        kind: 'delivery',
        verdict: 'refused',
        subject: { request_id: requestId },
        bucket: `refused ${minute}`,
      },
      deps,
    );
    throw new DomainError('signature_invalid', 'the signature is missing or wrong');
  }
  const payload = await payloadOf(trigger, delivery, deps);
  const digest = createHash('sha256').update(body).digest();
  const subject = { digest: `sha256:${digest.toString('hex')}`, request_id: requestId };
  const id = randomUUID();
  const run = runOf(trigger, {
    cause: { delivery: subject },
    causedBy: nodeKey('request', requestId),
    requestId,
    deliveryId: id,
  });
  const judgement = judge(trigger, payload, requestId, log);
  const skipped = async (why: Judgement | { verdict: 'paused'; seen: Judgement['seen'] }) => {
    const observation = {
      triggerName: name,
      kind: 'delivery',
      ...why,
      subject,
      runId: run.id,
      deliveryId: id,
    } as const;
    await skip(run, { id, body }, observation, deps);
    return { run_id: null, status: 'skipped' } as const;
  };
  if (judgement.verdict !== 'fired') return skipped(judgement);
  const holder = await acceptDelivery(db, {
    run,
    digest,
    windowSeconds: trigger.idempotencyWindowSeconds,
    id,
    body,
    subject,
    seen: judgement.seen,
  });
  if (holder === null) {
    log.info({ trigger: name, requestId }, 'a webhook was skipped: its trigger is paused');
    return skipped({ verdict: 'paused', seen: judgement.seen });
  }
  if (holder === run.id) return { run_id: run.id, status: 'accepted' };
  await insertObservations(db, [
    {
      triggerName: name,
      kind: 'delivery',
      verdict: 'duplicate',
      subject,
      seen: judgement.seen,
      runId: holder,
    },
  ]);
  return { run_id: holder, status: 'duplicate' };
}

/** The refusal is answered even if recording it fails. */
const putDown = (observation: NewObservation, { db, log }: Pick<WebhookDeps, 'db' | 'log'>): Promise<void> =>
  insertObservations(db, [observation]).catch((err: unknown) => {
    log.warn({ err, trigger: observation.triggerName }, 'a rejected delivery could not be recorded');
  });

/** Only recorded, also in the run log: nothing is queued. */
const skip = (
  run: NewRun,
  { id, body }: { readonly id: string; readonly body: Buffer },
  observation: NewObservation,
  { transact }: WebhookDeps,
): Promise<void> =>
  transact(async (tx) => {
    await insertRun(tx, run, 'skipped');
    await insertDelivery(tx, { id, triggerName: observation.triggerName, body, requestId: run.requestId });
    await insertObservations(tx, [observation]);
  });

/**
 * Fires for a stored delivery, whatever the window, with at most the caller's rights; its condition is
 * evaluated again.
 */
export async function redeliver(
  trigger: WebhookTrigger,
  { id, body }: StoredDelivery,
  caller: Caller,
  { transact, log }: Omit<WebhookDeps, 'db'>,
): Promise<WebhookAnswer> {
  const { actor } = caller;
  const subject = { redelivery_of: id, actor };
  const run = runOf(trigger, {
    cause: {
      delivery: { digest: `sha256:${createHash('sha256').update(body).digest('hex')}`, redelivery_of: id },
      actor,
    },
    causedBy: causeOf(caller),
    requestId: caller.requestId,
    actor,
    acting: actingBy(trigger, caller),
    deliveryId: id,
  });
  const judgement = judge(trigger, await parseJsonBody(body, { limits: NO_JSON_LIMITS }), id, log);
  const fires = judgement.verdict === 'fired';
  await transact(async (tx) => {
    await insertRun(tx, run, fires ? 'queued' : 'skipped');
    await insertObservations(tx, [
      { triggerName: trigger.name, kind: 'delivery', ...judgement, subject, runId: run.id, deliveryId: id },
    ]);
  });
  return fires ? { run_id: run.id, status: 'accepted' } : { run_id: null, status: 'skipped' };
}

function isSigned({ signature, secret }: WebhookTrigger, { body, header }: Delivery): boolean {
  const verify = signature === 'standard' ? hasStandardSignature : hasHmacSignature;
  return verify(
    { body, header, now: Date.now() / 1000 },
    secret.map((one) => one.reveal()),
  );
}

/**
 * A signed body that is not storable JSON is malformed (rule 2).
 * @throws DomainError `invalid_request`
 */
async function payloadOf(
  { name }: WebhookTrigger,
  { body, requestId, json }: Delivery,
  { db, log }: WebhookDeps,
): Promise<JsonValue> {
  try {
    return await parseJsonBody(body, json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ trigger: name, requestId, reason }, 'a webhook request contains malformed JSON');
    await putDown(
      {
        triggerName: name,
        kind: 'delivery',
        verdict: 'malformed',
        reason,
        subject: { request_id: requestId },
      },
      { db, log },
    );
    throw new DomainError('invalid_request', reason, {}, { cause: error });
  }
}

/** A failing condition counts as false (docs/reference/workflow.md#webhook-conditions). */
function judge(
  { name, when }: WebhookTrigger,
  payload: JsonValue,
  requestId: string,
  log: Logger,
): Judgement {
  const judgement = judgeDelivery(when)(payload);
  if (judgement.verdict === 'condition_false')
    log.info({ trigger: name, requestId }, 'a webhook was skipped: its condition is false');
  if (judgement.verdict === 'condition_error')
    log.warn(
      { trigger: name, requestId, error: judgement.reason },
      'a webhook was skipped: its condition could not be evaluated',
    );
  return judgement;
}
