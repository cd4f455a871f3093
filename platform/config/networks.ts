// Parses networks in CIDR notation and checks whether an address is in them.
import { BlockList, isIP } from 'node:net';

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. Undefined for anything else. */
export function parseCidr(text: string): Network | undefined {
  const [address = '', prefixText, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return undefined;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix > bits ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

export const isCidr = (text: string): boolean => parseCidr(text) !== undefined;

/**
 * Returns a function that checks whether an address (IPv4, IPv6, or IPv4-mapped IPv6) is in any of the
 * networks; false for text that is not an address.
 */
export function networkMatcher(cidrs: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const network = parseCidr(cidr);
    if (network === undefined) throw new TypeError(`not a network in CIDR notation: ${cidr}`);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) => {
    const version = address === undefined ? 0 : isIP(address);
    return address !== undefined && version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

const isLoopbackAddress = networkMatcher(['127.0.0.0/8', '::1']);

/** Whether a listen address can only be reached from this machine. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host);
