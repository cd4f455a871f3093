// The identity reader of a component behind the gateway (spec 1 «Authentication» 9): the counterpart of `identityHeaders`.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { badRequest, DomainError } from './errors.ts';
import { traceparentIn } from './traceparent.ts';
import { type Caller, type Identity, isRole, type Projects } from './identity.ts';
import { IDENTITY_HEADER } from './signed-identity/claims.ts';
import type { VerifyIdentity } from './signed-identity/identity-verifier.ts';

export interface CallerReader {
  /** Tells whom a signed identity names; one that is sent counts before anything else. Without it none is taken. */
  readonly verify?: VerifyIdentity;
  /** Whether plain identity headers of a request count: from trusted networks, where that is configured. */
  readonly believes: (req: IncomingMessage) => boolean;
  /** Who everybody is where no gateway is configured (local development); without it a missing identity is refused. */
  readonly withoutGateway?: Identity;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const header = (req: IncomingMessage, name: string): string | undefined => {
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

/** Whether a request comes from a gateway: with a signed identity, whether or not that is valid, or with headers that are believed. */
export const isFromGateway = (req: IncomingMessage, { verify, believes }: CallerReader): boolean =>
  (verify !== undefined && header(req, IDENTITY_HEADER) !== undefined) ||
  (header(req, 'x-platform-actor') !== undefined && believes(req));

function plainIdentity(req: IncomingMessage, { believes, withoutGateway }: CallerReader): Identity {
  const actor = header(req, 'x-platform-actor');
  if (actor !== undefined && believes(req)) {
    const roles = (header(req, 'x-platform-roles') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(isRole);
    return {
      actor: decoded(actor, 'X-Platform-Actor'),
      roles,
      projects: projectsOf(header(req, 'x-platform-projects')),
    };
  }
  if (withoutGateway !== undefined) return withoutGateway;
  throw new DomainError(
    'missing_token',
    'no identity that counts came with the request: this component answers its gateway',
  );
}

function identityOf(req: IncomingMessage, reader: CallerReader): Identity | Promise<Identity> {
  const signed = header(req, IDENTITY_HEADER);
  return signed === undefined || reader.verify === undefined
    ? plainIdentity(req, reader)
    : reader.verify(signed);
}

/**
 * At once where the identity is known, else as a promise.
 * @throws DomainError `missing_token` without an identity that counts, `invalid_token` and `expired_token` for a signed one that
 * does not, `invalid_request` for an unreadable actor or project
 */
export function readCaller(
  req: IncomingMessage,
  reader: CallerReader,
  signal: AbortSignal,
): Caller | Promise<Caller> {
  const requestId = header(req, 'x-platform-request-id');
  const traceparent = traceparentIn(req.headers['traceparent']);
  const callerOf = (identity: Identity): Caller => ({
    ...identity,
    requestId: requestId !== undefined && UUID.test(requestId) ? requestId : randomUUID(),
    ...(traceparent === undefined ? {} : { traceparent }),
    signal,
  });
  const identity = identityOf(req, reader);
  return identity instanceof Promise ? identity.then(callerOf) : callerOf(identity);
}
