// Verifies a webhook's signature with the trigger's secrets (docs/reference/workflow.md#webhook-signatures,
// docs/reference/workflow.md#standard-webhooks).
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedRequest {
  readonly body: Buffer;
  /** A request header by its lower-case name; undefined if it is missing or repeated. */
  readonly header: (name: string) => string | undefined;
  /** Seconds since 1970. */
  readonly now: number;
}

/** Maximum deviation of the sender's clock in seconds. */
const TOLERANCE = 300;

/** Compares in constant time. */
const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** `X-Signature: sha256=<hex HMAC-SHA256 of the raw body>`. */
export function hasHmacSignature({ body, header }: SignedRequest, secrets: readonly string[]): boolean {
  const hex = /^sha256=([\da-fA-F]{64})$/.exec(header('x-signature') ?? '')?.[1];
  if (hex === undefined) return false;
  const given = Buffer.from(hex, 'hex');
  return secrets
    .map((secret) => same(createHmac('sha256', secret).update(body).digest(), given))
    .includes(true);
}

/** A secret in the form of Standard Webhooks, `whsec_` and base64, or any other text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');

/**
 * `webhook-id`, `webhook-timestamp` and `webhook-signature`: a list of `v1,<base64>`, one of which must
 * match.
 */
export function hasStandardSignature(
  { body, header, now }: SignedRequest,
  secrets: readonly string[],
): boolean {
  const [id, timestamp, signatures] = [
    header('webhook-id'),
    header('webhook-timestamp'),
    header('webhook-signature'),
  ];
  if (
    !id ||
    !timestamp ||
    !signatures ||
    !/^\d{1,12}$/.test(timestamp) ||
    Math.abs(now - Number(timestamp)) > TOLERANCE
  )
    return false;
  const given = signatures
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, 20)
    .map((part) => Buffer.from(part.slice(3), 'base64'));
  const wanted = secrets.map((secret) =>
    createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  return wanted.flatMap((digest) => given.map((signature) => same(digest, signature))).includes(true);
}
