// What counts as one address: an IPv4 address, or the network of 64 bits that one subscriber has in IPv6.
import { isIPv6 } from 'node:net';

const GROUPS = 8;

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
  const plain = address.toLowerCase().replace(/%.*$/, '');
  if (plain.startsWith('::ffff:') && plain.includes('.')) return plain.slice(7);
  if (!isIPv6(plain)) return plain;
  return `${groupsOf(plain)
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
