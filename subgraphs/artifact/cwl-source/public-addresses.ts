// The addresses that workflows may be fetched from: public ones, and those that the operator allows
// (docs/reference/artifact.md#fetching-cwl).
import { isIPv4 } from 'node:net';
import { networkMatcher } from '../../../platform/config/networks.ts';

/** Networks outside the public internet, by IANA's special-purpose registries. */
const isSpecialIpv4 = networkMatcher([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/**
 * The same for IPv6, only a part of which is public. A separate list, because IPv4 addresses would match it
 * as mapped ones.
 */
const isSpecialIpv6 = networkMatcher([
  '::/3', // unspecified, loopback, compatible and mapped IPv4, 64:ff9b::/96, 100::/64
  '4000::/2',
  '8000::/1', // unassigned, unique local, link-local, multicast
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20', // Teredo and other protocols, documentation, 6to4
]);

/**
 * Returns whether an address may be connected to.
 * @param allowNetworks networks in CIDR notation that are always allowed, except
 * @param denyNetworks those that are never allowed
 */
export function addressCheck(
  allowNetworks: readonly string[],
  denyNetworks: readonly string[] = [],
): (address: string) => boolean {
  const isAllowed = networkMatcher(allowNetworks);
  const isDenied = networkMatcher(denyNetworks);
  return (address) =>
    !isDenied(address) && (isAllowed(address) || !(isIPv4(address) ? isSpecialIpv4 : isSpecialIpv6)(address));
}
