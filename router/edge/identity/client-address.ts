// Determines the client's address; `X-Forwarded-For` only counts from peers in the trusted networks
// (docs/reference/gateway.md#client-address).
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from '../../../platform/intake/address-key.ts';

export interface ClientAddresses {
  /** The client's own address. */
  of(req: IncomingMessage): string;
  /**
   * `X-Forwarded-For` for components: the chain of a trusted peer with the peer added, else only the peer.
   */
  forwardedFor(req: IncomingMessage): string;
}

/** Converts an IPv4-mapped address to IPv4; a closed socket has no address. */
const plain = (address: string | undefined): string =>
  address === undefined ? 'unknown' : plainAddress(address);

/** The rightmost address of the chain that is not a trusted proxy. */
function firstUntrusted(chain: string, peer: string, isTrusted: (address: string) => boolean): string {
  let client = peer;
  for (const hop of chain.split(',').reverse()) {
    const address = plain(hop.trim());
    if (isIP(address) === 0) return client;
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

/** Caches which peers are trusted, by address. */
const REMEMBERED = 1000;

export function createClientAddresses(isTrusted: (address: string) => boolean): ClientAddresses {
  const known = new Map<string, boolean>();
  const isTrustedPeer = (peer: string): boolean => {
    let trusted = known.get(peer);
    if (trusted === undefined) {
      if (known.size >= REMEMBERED) known.clear();
      trusted = isTrusted(peer);
      known.set(peer, trusted);
    }
    return trusted;
  };
  const chainOf = ({ headers }: IncomingMessage): string | undefined => {
    const chain = headers['x-forwarded-for'];
    return Array.isArray(chain) ? chain.join(', ') : chain;
  };
  return {
    of(req) {
      const peer = plain(req.socket.remoteAddress);
      const chain = chainOf(req);
      return chain === undefined || !isTrustedPeer(peer) ? peer : firstUntrusted(chain, peer, isTrusted);
    },
    forwardedFor(req) {
      const peer = plain(req.socket.remoteAddress);
      const chain = chainOf(req);
      return chain === undefined || !isTrustedPeer(peer) ? peer : `${chain}, ${peer}`;
    },
  };
}
