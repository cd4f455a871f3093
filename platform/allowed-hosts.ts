// Checks the host name of a request against DNS rebinding: a page whose name was made to resolve to this
// server sends its own host name.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { DomainError } from './errors.ts';
import { plainAddress } from './intake/address-key.ts';

/**
 * A normalized host: lower case, without the trailing dot of the root, addresses in one form; the port where
 * it is given.
 */
export interface NamedHost {
  readonly name: string;
  readonly port: string | undefined;
}

const PLAIN = /^[^\s/?#@\\]+$/;

/** Parses a host with an optional port; undefined for anything else. */
export function readHost(text: string): NamedHost | undefined {
  if (!PLAIN.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  const { hostname } = new URL(`http://${text}`);
  const port = /:(\d{1,5})$/.exec(text.replace(/^\[[^\]]*\]/, ''))?.[1];
  if (port === undefined && text.replace(/^\[[^\]]*\]/, '').includes(':')) return undefined;
  return {
    name: hostname.startsWith('[') ? plainAddress(hostname.slice(1, -1)) : hostname.replace(/\.$/, ''),
    port,
  };
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

export interface AllowedHostsOptions {
  /** `server.allowed_hosts`: names; a name with a port only allows that port. */
  readonly configured: readonly string[] | undefined;
  /** Without configured names: the server's names beside loopback and the local address of the connection. */
  readonly served: () => readonly string[];
}

/**
 * @throws DomainError `misdirected_request` for a request without a host, or with one that is not served here
 */
export type CheckHost = (req: Pick<IncomingMessage, 'headers' | 'socket'>) => void;

const wildcard = (name: string): boolean => name === '0.0.0.0' || name === '::';

/** Size of the cache of accepted hosts: most requests use the same few names. */
const REMEMBERED = 100;

export function createCheckHost({ configured, served }: AllowedHostsOptions): CheckHost {
  const read = (texts: readonly string[]): NamedHost[] =>
    texts.flatMap((text) => readHost(isIP(text) === 6 ? `[${text}]` : text) ?? []);
  const listed = configured === undefined ? undefined : read(configured);
  const known = new Set<string>();
  const isNamed = (host: NamedHost, names: readonly NamedHost[]): boolean =>
    names.some(
      ({ name, port }) => name === host.name && (port === undefined || port === (host.port ?? '80')),
    );

  const isServed = (host: NamedHost): boolean => {
    if (listed !== undefined) return isNamed(host, listed);
    return (
      LOOPBACK.includes(host.name) ||
      isNamed(
        host,
        read(served())
          .filter(({ name }) => !wildcard(name))
          .map(({ name }) => ({ name, port: undefined })),
      )
    );
  };
  return ({ headers: { host: text }, socket }) => {
    if (text !== undefined && known.has(text)) return;
    const host = text === undefined ? undefined : readHost(text);
    if (host !== undefined && text !== undefined && isServed(host)) {
      if (known.size < REMEMBERED) known.add(text);
      return;
    }
    if (
      listed === undefined &&
      host !== undefined &&
      isIP(host.name) !== 0 &&
      host.name === addressOfSocket(socket)
    )
      return;
    throw new DomainError(
      'misdirected_request',
      text === undefined
        ? 'the Host header is required'
        : 'this host name is not served here: add it to server.allowed_hosts',
    );
  };
}

/**
 * The local address of the connection. A page that was loaded from this address correctly sends it as its
 * host.
 */
function addressOfSocket({ localAddress }: IncomingMessage['socket']): string | undefined {
  return localAddress === undefined
    ? undefined
    : readHost(isIP(localAddress) === 6 ? `[${localAddress.replace(/%.*$/, '')}]` : localAddress)?.name;
}
