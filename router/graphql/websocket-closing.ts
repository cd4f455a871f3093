// Closes a WebSocket with a code and a reason, and a time limit.
import type { WebSocket } from 'ws';
import type { DomainError } from '../../platform/errors.ts';

/** Close codes: RFC 6455 and those of graphql-transport-ws. */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;
export const INTERNAL_ERROR = 4500;
export const TOO_LARGE = 1009;
const BAD_REQUEST = 4400;
const UNAUTHORIZED = 4401;
const FORBIDDEN = 4403;
/** Milliseconds that a client has to close. */
const CLOSE_MS = 2000;

/** Sends the reason, and waits for the client only for a short time. */
export function closeWith(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, Buffer.from(reason).subarray(0, 120).toString());
  setTimeout(() => {
    socket.terminate();
  }, CLOSE_MS).unref();
}

export function closeCode({ code, status }: DomainError): number {
  if (code === 'internal_error') return INTERNAL_ERROR;
  if (code === 'rate_limit_exceeded') return POLICY_VIOLATION;
  if (code === 'payload_too_large') return TOO_LARGE;
  if (status === 401) return UNAUTHORIZED;
  return status === 403 ? FORBIDDEN : BAD_REQUEST;
}
