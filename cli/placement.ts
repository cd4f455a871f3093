// Determines which servers `cairn start <component...>` starts, and where each of them listens.
import type { Config } from '../platform/config/load-config.ts';
import { OWN_COMPONENTS, type OwnComponent } from '../platform/config/service-sections.ts';
import { Failure } from './failure.ts';

export const STARTABLE = [...OWN_COMPONENTS, 'router'] as const;
export type Startable = (typeof STARTABLE)[number];

export interface Placed {
  readonly component: Startable;
  readonly config: Config;
}

const portOf = (address: string): number => {
  const { port, protocol } = new URL(address);
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
};

/** Checks that no port is used twice; the error names the components. */
function assertApart(placed: readonly Placed[]): void {
  const takenBy = new Map<number, Startable>();
  for (const {
    component,
    config: {
      server: { port },
    },
  } of placed) {
    const other = takenBy.get(port);
    if (port !== 0 && other !== undefined)
      throw new Failure(
        `${other} and ${component} would both listen on port ${port}: change server.port or components.${component}.url`,
      );
    takenBy.set(port, component);
  }
}

/**
 * A single component listens at `server.port`. Of several in one process, the router does, and each other one
 * listens at the port of its `components.<name>.url`, where the router finds it. A component without a URL
 * runs inside the router, as usual. The router comes last.
 * @throws Failure where a component has no address to listen at
 */
export function place(names: readonly Startable[], config: Config): Placed[] {
  const wanted = [...new Set(names)].sort((a, b) => Number(a === 'router') - Number(b === 'router'));
  if (wanted.length <= 1) return wanted.map((component) => ({ component, config }));
  const hasRouter = wanted.includes('router');
  const placed = wanted.flatMap((component): Placed[] => {
    if (component === 'router') return [{ component, config }];
    const { url } = config.components[component satisfies OwnComponent];
    if (url !== undefined)
      return [{ component, config: { ...config, server: { ...config.server, port: portOf(url) } } }];
    if (hasRouter) return [];
    throw new Failure(
      `${wanted.join(' and ')} cannot all listen on server.port: set components.${component}.url, or start each component with its own command`,
    );
  });
  assertApart(placed);
  return placed;
}
