// The identity reader of a component behind the gateway (spec 1 «Authentication» 9): the counterpart of `identityHeaders`.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { badRequest, DomainError } from './errors.ts';
import { traceparentIn } from './traceparent.ts';
import { type Caller, type Identity, isRole, type Projects } from './identity.ts';

export interface CallerReader {
  /** Whether a peer's address lies in the trusted networks: only its identity headers count. */
  readonly isTrusted: (address: string) => boolean;
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
  (text === '*' ? '*' : (text ?? '').split(',').filter((name) => name !== '').map((name) => decoded(name, 'X-Platform-Projects')));

function identityOf(req: IncomingMessage, { isTrusted, withoutGateway }: CallerReader): Identity {
  const actor = isTrusted(req.socket.remoteAddress ?? '') ? header(req, 'x-platform-actor') : undefined;
  if (actor !== undefined) {
    const roles = (header(req, 'x-platform-roles') ?? '').split(',').map((name) => name.trim()).filter(isRole);
    return { actor: decoded(actor, 'X-Platform-Actor'), roles, projects: projectsOf(header(req, 'x-platform-projects')) };
  }
  if (withoutGateway !== undefined) return withoutGateway;
  throw new DomainError('missing_token', 'no identity came with the request: this component answers its gateway');
}

/** @throws DomainError `missing_token` without a trusted actor header, `invalid_request` for an unreadable actor or project */
export function readCaller(req: IncomingMessage, reader: CallerReader, signal: AbortSignal): Caller {
  const requestId = header(req, 'x-platform-request-id');
  const traceparent = traceparentIn(req.headers['traceparent']);
  return {
    ...identityOf(req, reader),
    requestId: requestId !== undefined && UUID.test(requestId) ? requestId : randomUUID(),
    ...(traceparent === undefined ? {} : { traceparent }),
    signal,
  };
}
