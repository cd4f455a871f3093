// What counts as one address: an IPv4 address, or the network of 64 bits that one subscriber has in IPv6.
import { isIPv6 } from 'node:net';

const GROUPS = 8;
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** An IPv6 address in the spelling of RFC 5952, which is how URLs have it; IPv4 written as IPv6 is IPv4. */
function canonicalAddress(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const [above, below] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [above >> 8, above & 255, below >> 8, below & 255].join('.');
}

/** IPv4 written as IPv6, in whichever spelling, is IPv4; any other text stays as it is. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7); // as sockets have it
  if (!isIPv6(address)) return address;
  const canonical = canonicalAddress(address.replace(/%.*$/, ''));
  return canonical.includes(':') ? address : canonical;
}

/** The eight groups of an IPv6 address; `::` is as many zeros as are missing. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [
    ...before,
    ...Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0'),
    ...after,
  ];
}

/** One text for each address that is counted by itself. */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const unscoped = address.toLowerCase().replace(/%.*$/, '');
  if (!isIPv6(unscoped)) return unscoped;
  const canonical = canonicalAddress(unscoped);
  if (!canonical.includes(':')) return canonical;
  return `${groupsOf(canonical).slice(0, 4).join(':')}::/64`;
}
