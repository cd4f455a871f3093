// Connections that are turned away: answered once, before there is a request, and closed.
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

/** Milliseconds that a connection may still take once it has been refused. */
export const CLOSING_MS = 2000;

interface Refusal {
  readonly status: string;
  readonly error: string;
  readonly message: string;
}
const MISUSE = '400';
export const FULL: Refusal = {
  status: '503 Service Unavailable',
  error: 'component_unavailable',
  message: 'the server has reached its connection limit',
};
export const TOO_MANY: Refusal = {
  status: '429 Too Many Requests',
  error: 'rate_limit_exceeded',
  message: 'this address has reached its connection limit',
};

/** In the gateway's shape, before there is a request. */
function answerText({ status, error, message }: Refusal): string {
  const requestId = randomUUID();
  const top = error === 'component_unavailable' ? { component: 'gateway', upstream_status: null } : {};
  const body = JSON.stringify({ error, message, request_id: requestId, details: {}, ...top });
  const later = status.startsWith(MISUSE) ? '' : 'Retry-After: 1\r\n';
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\n${later}Connection: close\r\n\r\n${body}`;
}

/** Says why, and closes. */
export function turnAway(socket: Socket, refusal: Refusal): undefined {
  socket.on('error', () => {
    socket.destroy();
  });
  socket.end(answerText(refusal));
  socket.resume(); // unread, what has come would have the answer thrown away
  setTimeout(() => {
    socket.destroy();
  }, CLOSING_MS).unref();
  return undefined;
}
