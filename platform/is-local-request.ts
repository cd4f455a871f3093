// Whether a request was made on this machine, for what is believed from nowhere else.
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from './config/networks.ts';

/** Headers by which a proxy says that it asks for somebody else. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const hostName = (host: string): string =>
  host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/** From loopback, to a loopback name (a page whose name was made to point here has another), and not through a proxy. */
export const isLocalRequest = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopbackHost(socket.remoteAddress ?? '') &&
  isLoopbackHost(hostName(headers.host ?? '')) &&
  !FORWARDED.some((name) => headers[name] !== undefined);
