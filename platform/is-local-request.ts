// Checks whether a request was made on this machine, for rights that are given to local requests only.
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from './config/networks.ts';

/** Headers by which a proxy says that it forwards a request. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a proxy says that it forwards the request for somebody else. */
export const isForwarded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  FORWARDED.some((name) => headers[name] !== undefined);

const hostName = (host: string): string =>
  host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/**
 * Whether the request comes from loopback, names a loopback host (which excludes DNS rebinding), and was not
 * forwarded by a proxy.
 */
export const isLocalRequest = ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopbackHost(socket.remoteAddress ?? '') &&
  isLoopbackHost(hostName(headers.host ?? '')) &&
  !isForwarded({ headers });
