// Decides about one delivery of an external system: refuse, skip, recognise, or run (spec 3 «Webhook rules»).
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { webhookBindings } from '../../../platform/cel/bindings.ts';
import { compileCel } from '../../../platform/cel/compile.ts';
import { DomainError } from '../../../platform/errors.ts';
import { type JsonValue, parseJson } from '../../../platform/json.ts';
import type { Transact } from '../engine/settle.ts';
import { runOf } from '../runs/new-run.ts';
import { insertRun } from '../runs/run-queue.store.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { takeDigest } from './deliveries.store.ts';
import { hasHmacSignature, hasStandardSignature, type SignedRequest } from './verify-signature.ts';

export type WebhookTrigger = Extract<ConfiguredTrigger, { type: 'webhook' }>;

export interface Delivery extends Pick<SignedRequest, 'body' | 'header'> {
  readonly requestId: string;
  readonly ip: string;
}

export type WebhookAnswer =
  | { readonly run_id: string; readonly status: 'accepted' | 'duplicate' }
  | { readonly run_id: null; readonly status: 'skipped' };

export interface WebhookPorts { readonly transact: Transact; readonly log: Logger }

/** @throws DomainError `signature_invalid`, before anything else is looked at; `invalid_request` for what is no JSON */
export async function receive(trigger: WebhookTrigger, delivery: Delivery, { transact, log }: WebhookPorts): Promise<WebhookAnswer> {
  const { name } = trigger;
  const { requestId, ip, body } = delivery;
  if (!isSigned(trigger, delivery)) {
    log.warn({ event: 'security', reason: 'webhook_signature', trigger: name, ip, requestId }, 'a webhook came with a missing or wrong signature');
    throw new DomainError('signature_invalid', 'the signature is missing or wrong');
  }
  const payload = payloadOf(trigger, delivery, log);
  const digest = createHash('sha256').update(body).digest();
  const run = runOf(trigger, { cause: { delivery: { digest: `sha256:${digest.toString('hex')}`, request_id: requestId } } });
  if (!applies(trigger, payload, requestId, log)) {
    await transact((db) => insertRun(db, run, 'skipped'));
    return { run_id: null, status: 'skipped' };
  }
  return transact(async (db): Promise<WebhookAnswer> => {
    const holder = await takeDigest(db, name, digest, run.id, trigger.idempotencyWindowSeconds);
    if (holder !== run.id) return { run_id: holder, status: 'duplicate' };
    await insertRun(db, run);
    return { run_id: run.id, status: 'accepted' };
  });
}

function isSigned({ signature, secret }: WebhookTrigger, { body, header }: Delivery): boolean {
  const verify = signature === 'standard' ? hasStandardSignature : hasHmacSignature;
  return verify({ body, header, now: Date.now() / 1000 }, secret.map((one) => one.reveal()));
}

/** What is signed but no JSON that could be stored is malformed (rule 2). @throws DomainError `invalid_request` */
function payloadOf({ name }: WebhookTrigger, { body, requestId }: Delivery, log: Logger): JsonValue {
  try {
    return parseJson(body);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.error({ trigger: name, requestId, reason: message }, 'a webhook came with malformed JSON');
    throw new DomainError('invalid_request', message, {}, { cause: error });
  }
}

/** A condition that errors counts as false (contract 3). */
function applies({ name, when }: WebhookTrigger, payload: JsonValue, requestId: string, log: Logger): boolean {
  if (when === undefined) return true;
  const outcome = compileCel(when, { variables: 'any', resultType: 'bool' }).evaluate(webhookBindings(payload));
  if (outcome.ok && outcome.value) return true;
  if (outcome.ok) log.info({ trigger: name, requestId }, 'a webhook was skipped: its condition is false');
  else log.warn({ trigger: name, requestId, error: outcome.error }, 'a webhook was skipped: its condition could not be evaluated');
  return false;
}
