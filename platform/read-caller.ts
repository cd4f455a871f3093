// Reads the caller's identity in a component behind the gateway
// (docs/reference/gateway.md#component-by-itself); the counterpart of `identityHeaders`.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isActingCause } from './causal-links.ts';
import { badRequest, DomainError } from './errors.ts';
import { canonicalInstant } from './instant.ts';
import { traceparentIn } from './traceparent.ts';
import { type Caller, type Identity, isRole, type Projects } from './identity.ts';
import { IDENTITY_HEADER } from './signed-identity/claims.ts';
import type { VerifyIdentity } from './signed-identity/identity-verifier.ts';
import { isUuid } from './uuid.ts';

export interface CallerReader {
  /**
   * Verifies a signed identity, which takes precedence over plain headers. Where this is absent, signed
   * identities are ignored.
   */
  readonly verify?: VerifyIdentity;
  /**
   * Whether plain identity headers of a request are trusted: those from trusted networks, where that is
   * configured.
   */
  readonly believes: (req: CallerSource) => boolean;
  /**
   * The identity of every caller where no gateway is configured (local development). Where this is absent, a
   * request without an identity is rejected.
   */
  readonly withoutGateway?: Identity;
}

/** What of a request says who its caller is. */
export type CallerSource = Pick<IncomingMessage, 'headers' | 'socket'>;

const header = (req: CallerSource, name: string): string | undefined => {
  const value = req.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function decoded(text: string, header: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(`${header} is not percent-encoded`);
  }
}

const projectsOf = (text: string | undefined): Projects =>
  text === '*'
    ? '*'
    : (text ?? '')
        .split(',')
        .filter((name) => name !== '')
        .map((name) => decoded(name, 'X-Platform-Projects'));

/** Whether a request comes from a gateway: it has a signed identity, valid or not, or trusted headers. */
export const isFromGateway = (req: CallerSource, { verify, believes }: CallerReader): boolean =>
  (verify !== undefined && header(req, IDENTITY_HEADER) !== undefined) ||
  (header(req, 'x-platform-actor') !== undefined && believes(req));

function plainIdentity(req: CallerSource, { believes, withoutGateway }: CallerReader): Identity {
  const actor = header(req, 'x-platform-actor');
  if (actor !== undefined && believes(req)) {
    const roles = (header(req, 'x-platform-roles') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(isRole);
    const cause = header(req, 'x-platform-cause');
    return {
      actor: decoded(actor, 'X-Platform-Actor'),
      roles,
      projects: projectsOf(header(req, 'x-platform-projects')),
      ...(isActingCause(cause) ? { cause } : {}),
      ...(header(req, 'x-platform-exact') === 'true' ? { isExact: true } : {}),
    };
  }
  if (withoutGateway !== undefined) return withoutGateway;
  throw new DomainError(
    'missing_token',
    'the request carries no accepted identity: this component only answers requests of its gateway',
  );
}

/**
 * The identity that a request states. Returns synchronously where no signature has to be verified.
 * @throws DomainError as {@link readCaller}
 */
export function statedIdentity(req: CallerSource, reader: CallerReader): Identity | Promise<Identity> {
  const signed = header(req, IDENTITY_HEADER);
  return signed === undefined || reader.verify === undefined
    ? plainIdentity(req, reader)
    : reader.verify(signed);
}

/**
 * Reads the caller of a request. Returns synchronously where no signature has to be verified.
 * @throws DomainError `missing_token` without a trusted identity, `invalid_token` and `expired_token` for an
 * invalid or expired signed one, `invalid_request` for an unreadable actor or project
 */
export function readCaller(
  req: CallerSource,
  reader: CallerReader,
  signal: AbortSignal,
): Caller | Promise<Caller> {
  const requestId = header(req, 'x-platform-request-id');
  const traceparent = traceparentIn(req.headers['traceparent']);
  const asOf = canonicalInstant(header(req, 'x-platform-as-of') ?? '');
  const callerOf = (identity: Identity): Caller => ({
    ...identity,
    requestId: requestId !== undefined && isUuid(requestId) ? requestId : randomUUID(),
    ...(asOf === null ? {} : { asOf }),
    ...(traceparent === undefined ? {} : { traceparent }),
    signal,
  });
  const identity = statedIdentity(req, reader);
  return identity instanceof Promise ? identity.then(callerOf) : callerOf(identity);
}
