// Checks valid values that are unsafe in production: networks that trust everyone, and short secrets.
import { BlockList } from 'node:net';
import type { Environment } from './environment.ts';
import { type ConfigFault, faultAt, type Origin, type Path } from './faults.ts';
import { parseCidr } from './networks.ts';

/** Minimum length of a secret in bytes: 64 bits of hex, or more. */
const MIN_SECRET_LENGTH = 16;

/**
 * Number of sample addresses, spread over the address space. A configuration that trusts most of them trusts
 * everyone.
 */
const SAMPLES = 256;
const ipv4Samples = Array.from(
  { length: SAMPLES },
  (_, i) => `${i}.${(i * 7) % 256}.${(i * 31) % 256}.${(i * 101) % 256}`,
);
const ipv6Samples = Array.from(
  { length: SAMPLES },
  (_, i) => `${(0x2000 + i * 32).toString(16)}:${((i * 257) % 65_536).toString(16)}::${(i + 1).toString(16)}`,
);

const isWorld = (networks: readonly string[]): boolean => {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseCidr(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  const held = (addresses: readonly string[], family: 'ipv4' | 'ipv6'): number =>
    addresses.filter((address) => list.check(address, family)).length;
  return held(ipv4Samples, 'ipv4') >= SAMPLES / 2 || held(ipv6Samples, 'ipv6') >= SAMPLES / 2;
};

/** Returns faults for networks that contain half of the address space or more, alone or together. */
export function worldFaults(networks: unknown, origin: Origin): ConfigFault[] {
  if (!Array.isArray(networks) || !networks.every((one) => typeof one === 'string')) return [];
  const advice =
    'trusts every address, which is not allowed in production: list the networks of your proxies and components';
  const alone = networks.flatMap((network, i) =>
    isWorld([network]) ? [faultAt(origin, ['trusted_networks', i], advice)] : [],
  );
  if (alone.length > 0) return alone;
  return isWorld(networks) ? [faultAt(origin, ['trusted_networks'], `together ${advice}`)] : [];
}

/** Keys whose environment variables do not hold secrets. */
const NO_SECRETS = new Set(['access_key_id_env']);

/** Returns a fault for every `…_env` key in a tree, at any depth, whose variable has too short a value. */
export function shortSecretFaults(tree: unknown, env: Environment, origin: Origin): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const judge = (variable: unknown, at: Path): void => {
    const value = typeof variable === 'string' ? env[variable] : undefined;
    if (value !== undefined && value !== '' && Buffer.byteLength(value) < MIN_SECRET_LENGTH) {
      faults.push(
        faultAt(
          origin,
          at,
          `the secret in ${String(variable)} has fewer than ${MIN_SECRET_LENGTH} characters, which is not allowed in production`,
        ),
      );
    }
  };
  const walk = (value: unknown, at: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, held] of Object.entries(value)) {
      const here = [...at, Array.isArray(value) ? Number(key) : key];
      if (!key.endsWith('_env') || NO_SECRETS.has(key)) walk(held, here);
      else if (Array.isArray(held))
        held.forEach((one, i) => {
          judge(one, [...here, i]);
        });
      else judge(held, here);
    }
  };
  walk(tree, []);
  return faults;
}
