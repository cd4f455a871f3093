// Hosts as network namespaces with one switch between them, which this process reaches as well: as root, by iproute2.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

export interface Host {
  readonly address: string;
  /** Stands before a command that runs there. */
  readonly within: readonly string[];
  /** Takes its cable out: packets vanish, and nobody is told. */
  unplug(): void;
  plugIn(): void;
}

export interface Network extends Disposable {
  readonly hosts: readonly Host[];
  /** In CIDR notation. */
  readonly range: string;
}

/** Why there can be none here; undefined where there can. */
export function withoutNetworks(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'network namespaces are made by root on Linux';
  for (const [command, option] of [
    ['ip', '-V'],
    ['haproxy', '-v'],
    ['setpriv', '--version'],
  ] as const)
    if (spawnSync(command, [option]).status !== 0) return `${command} is not installed`;
  const name = `cairn-probe-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return 'the kernel makes no network namespaces';
  try {
    if (spawnSync('ip', ['-n', name, 'link', 'add', 'probe', 'type', 'bridge']).status !== 0)
      return 'the kernel makes no bridges';
  } finally {
    ip('netns', 'del', name);
  }
  return undefined;
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Of addresses that are for trying networks out (RFC 2544); the last of them is this process's. */
export function networkOf(count: number): Network {
  const subnet = `198.18.${randomInt(256)}`;
  const names = Array.from({ length: count }, (_, i) => `cairn-${process.pid}-host-${i + 1}`);
  const wire = `cairn-${process.pid}-wire`;
  const here = `cairn${process.pid}`;
  const dispose = (): void => {
    // with a namespace go its cables
    for (const name of [...names, wire]) spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
  };
  try {
    ip('netns', 'add', wire);
    ip('-n', wire, 'link', 'add', 'switch', 'type', 'bridge');
    ip('-n', wire, 'link', 'set', 'switch', 'up');
    const plug = (port: string, ...other: readonly string[]): void => {
      ip('-n', wire, 'link', 'add', port, 'type', 'veth', 'peer', 'name', ...other);
      ip('-n', wire, 'link', 'set', port, 'master', 'switch', 'up');
    };
    plug('here', here, 'netns', String(process.pid));
    ip('addr', 'add', `${subnet}.254/24`, 'dev', here);
    ip('link', 'set', here, 'up');
    for (const [i, name] of names.entries()) {
      ip('netns', 'add', name);
      plug(`port${i}`, 'eth0', 'netns', name);
      ip('-n', name, 'addr', 'add', `${subnet}.${i + 1}/24`, 'dev', 'eth0');
      for (const device of ['eth0', 'lo']) ip('-n', name, 'link', 'set', device, 'up');
    }
  } catch (fault) {
    dispose();
    throw fault;
  }
  return {
    range: `${subnet}.0/24`,
    hosts: names.map((name, i) => ({
      address: `${subnet}.${i + 1}`,
      within: ['ip', 'netns', 'exec', name],
      unplug: () => ip('-n', wire, 'link', 'set', `port${i}`, 'down'),
      plugIn: () => ip('-n', wire, 'link', 'set', `port${i}`, 'up'),
    })),
    [Symbol.dispose]: dispose,
  };
}
